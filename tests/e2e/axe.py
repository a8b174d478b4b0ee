"""axe-core on a page: what of it some people could not use, as lines to read.

The file is vendored (tests/vendor), so that no network is needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SCRIPT = Path(__file__).parent.parent / "vendor" / "axe.min.js"

_TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
_OPTIONS: dict[str, Any] = {
    "reporter": "no-passes",
    "resultTypes": ["violations"],
    "preload": False,
}
_ALL = {
    **_OPTIONS,
    "runOnly": {"type": "tag", "values": _TAGS},
    "rules": {"target-size": {"enabled": True}},  # of WCAG 2.2: axe looks only when asked
}
_COLOURS = {**_OPTIONS, "runOnly": ["color-contrast", "link-in-text-block"]}
_RUN = """async (options) => {
    // colours are read as they come to rest
    for (const each of document.getAnimations())
        if (Number.isFinite(each.effect.getComputedTiming().endTime)) each.finish();
    // drawings behind aria-hidden cost axe most of its time
    for (const drawing of document.querySelectorAll("svg.sprite, .card svg")) drawing.remove();
    for (const fold of document.querySelectorAll("details")) fold.open = true;
    const shut = [...document.querySelectorAll("dialog:not(:modal)")];
    const marks = shut.map((dialog) => new Comment());
    shut.forEach((dialog, at) => dialog.replaceWith(marks[at]));
    // axe knows no top layer: what lies beneath an open dialog would cover it
    const modal = document.querySelector("dialog:modal");
    const beneath = [...modal?.parentElement.children ?? []]
        .filter((each) => each !== modal && !each.hidden);
    for (const each of beneath) each.hidden = true;
    const found = await axe.run(modal ?? document, options);
    for (const each of beneath) each.hidden = false;
    marks.forEach((mark, at) => mark.replaceWith(shut[at]));
    return found.violations.map((each) => ({
        rule: each.id,
        help: each.help,
        nodes: each.nodes.map((node) => ({
            at: node.target.join(" "),
            why: [...node.any, ...node.all, ...node.none].map((check) => check.message).join("; "),
        })),
    }));
}"""


def violations(page: Page, *, colours_alone: bool = False) -> list[str]:
    """What axe finds on a page that has its script (`SCRIPT`): rule, element, reason.

    Where a dialog is open, of that alone; folded parts are opened. `colours_alone`: what another
    colour scheme may change, all else being the same. Cards lose their drawings.
    """
    return [
        f"{each['rule']}: {node['at']}: {node['why'] or each['help']}"
        for each in page.evaluate(_RUN, _COLOURS if colours_alone else _ALL)
        for node in each["nodes"]
    ]
