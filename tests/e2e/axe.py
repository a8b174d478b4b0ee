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
    "runOnly": {"type": "tag", "values": _TAGS},
    "rules": {"target-size": {"enabled": True}},  # of WCAG 2.2; axe runs it only when asked
    "resultTypes": ["violations"],
    "preload": False,
}
_RUN = """async (options) => {
    const found = await axe.run(document, options);
    return found.violations.map((each) => ({
        rule: each.id,
        help: each.help,
        nodes: each.nodes.map((node) => ({
            at: node.target.join(" "),
            why: [...node.any, ...node.all, ...node.none].map((check) => check.message).join("; "),
        })),
    }));
}"""


def violations(page: Page) -> list[str]:
    """What axe finds on a page that has its script (`SCRIPT`): rule, element, reason."""
    return [
        f"{each['rule']}: {node['at']}: {node['why'] or each['help']}"
        for each in page.evaluate(_RUN, _OPTIONS)
        for node in each["nodes"]
    ]
