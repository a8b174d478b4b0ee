// What the browser tests read of a game's page, and where a hand or a finger would go.
(() => {
  const table = () => document.getElementById("table");
  const place = (id) => table().querySelector(`.board [data-place="${id}"]`);
  const cardsIn = (home) => [...home.querySelectorAll("button.card[data-card]")];
  const box = (element) => element.getBoundingClientRect();
  const middle = (rect) => ({ x: rect.left + rect.width / 2, y: rect.top + rect.height / 2 });

  /** The table as a person sees it: faces, counts, figures. */
  const shown = () => {
    const places = {};
    for (const home of table().querySelectorAll(".board [data-place]")) {
      places[home.dataset.place] = {
        down: home.querySelectorAll(".downs .down").length,
        cards: cardsIn(home).map((card) => card.dataset.card),
        faces: [...home.querySelectorAll("button.card[data-card] use")].map((use) => use.getAttribute("href")),
        count: Number(home.querySelector(".count")?.textContent ?? 0),
      };
    }
    const figure = (name) => Number(table().querySelector(`.stat.${name} bdi`).textContent);
    const can = (what) => !table().querySelector(`[data-do="${what}"]`).disabled;
    return {
      places, version: Number(table().dataset.version), status: table().dataset.status,
      legal: table().dataset.legal.split(" ").filter(Boolean).sort(), score: figure("score"), moves: figure("moves"),
      undo: can("undo"), redo: can("redo"), gone: table().querySelectorAll(".board .gone").length,
    };
  };

  /** The card that leads the top `count` cards of a place. */
  const lead = (id, count) => cardsIn(place(id)).at(-count);

  /** Where to take hold of that card: the middle of what is to be seen of it. */
  const hold = (id, count) => {
    const card = id === "s" ? place(id).querySelector("button") : lead(id, count);
    if (place(id).matches(".well")) card.scrollIntoView({ block: "center" });
    const rect = box(card.querySelector(".face"));
    const above = count > 1 ? box(lead(id, count - 1).querySelector(".face")).top : rect.bottom;
    const point = middle({ ...rect.toJSON(), left: rect.left, top: rect.top, width: rect.width, height: above - rect.top });
    return { ...point, left: rect.left, top: rect.top, width: rect.width, height: rect.height, strip: above - rect.top,
      isHit: document.elementFromPoint(point.x, point.y)?.closest("button") === card };
  };

  /** The rectangle of what a group is put upon: a top card, or an empty place. */
  const ground = (id) => {
    const home = place(id);
    const top = cardsIn(home).at(-1)?.querySelector(".face") ?? home.querySelector(".slot") ?? home;
    const rect = box(top);
    return { left: rect.left, top: rect.top, width: rect.width, height: rect.height, ...middle(rect) };
  };

  /** The foundation that a card goes to. */
  const foundation = (id) => {
    const name = id === "w" || id[0] === "t" ? lead(id, 1).dataset.card : "";
    const below = "A23456789TJQK"["A23456789TJQK".indexOf(name[0]) - 1];
    return [...table().querySelectorAll(`.board [data-place^="f${name[1]}"]`)]
      .find((home) => (cardsIn(home).at(-1)?.dataset.card ?? "") === (below ? below + name[1] : "")).dataset.place;
  };

  /** Once the table is at a version (any, if null): where to take hold for a move, and where to put it. */
  const grasp = async (version, source, count, target) => {
    const begun = performance.now();
    while (version !== null && table().dataset.version !== String(version)) {
      if (performance.now() - begun > 30_000) throw new Error(`version ${version} did not come: ${JSON.stringify(shown())}`);
      await new Promise(requestAnimationFrame);
    }
    const spot = hold(source, count);
    return { spot, ground: source === "s" ? null : ground(target === "f" ? foundation(source) : target) };
  };

  /** Play moves without a hand: the buttons' own clicks, each when the one before was answered. */
  const press = async (moves) => {
    for (const [source, count, target] of moves) {
      const before = table().dataset.version;
      (source === "s" ? place("s").querySelector("button") : lead(source, count)).click();
      const home = place(target === "f" ? foundation(source) : target);
      if (source !== "s") (cardsIn(home).at(-1) ?? home.querySelector(".slot")).click();
      while (table().dataset.version === before) await new Promise(requestAnimationFrame);
    }
  };

  /** Whether a card's index can be read: its rank's drawn height in px, and how much of it is covered. */
  const index = (id, count) => {
    const { strip, width } = hold(id, count);
    const scale = Number(getComputedStyle(lead(id, count).querySelector(".face")).getPropertyValue("--idx"));
    return { height: .3 * scale * width, covered: Math.max(0, .37 * scale * width - strip) };
  };

  /** Once nothing is on its way to the server or in the air. */
  const rest = async () => {
    const { isBusy } = await import("/static/js/send.js");
    const begun = performance.now();
    while (isBusy() || document.querySelector("#air > *, .board .gone")) {
      if (performance.now() - begun > 30_000) throw new Error(`no rest: ${JSON.stringify(shown())}`);
      await new Promise(requestAnimationFrame);
    }
  };

  let tapped = -1e9;
  addEventListener("pointerup", () => { tapped = performance.now(); }, { capture: true });
  /** A second tap at the same place within this time would be half of a double tap. */
  const isAlone = () => performance.now() - tapped > 400;

  window.tests = { isAlone, rest, shown, press, index, hold, ground, grasp, lead, place };
})();
