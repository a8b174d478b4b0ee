// A pile that is longer than the table even with its smallest strips scrolls in its own well.
import { board } from "./board.js";
import { fanLabel, openFan } from "./fan.js";

const kept = new Map();

/** Make wells of the piles that need it, and plain piles of those that no longer do. */
export function makeWells() {
  for (const chip of board().querySelectorAll(".more")) chip.remove();
  const piles = [...board().querySelectorAll(".pile")].map((pile) => [pile, pile.scrollHeight > pile.clientHeight + 1]);
  for (const [pile, isLong] of piles) {
    pile.classList.toggle("well", isLong);
    if (!isLong) {
      kept.delete(pile.dataset.place);
      continue;
    }
    const count = pile.querySelectorAll(".card").length;
    const was = kept.get(pile.dataset.place);
    pile.scrollTop = was?.count === count ? was.top : pile.scrollHeight;
    kept.set(pile.dataset.place, { count, top: pile.scrollTop });
    const chip = document.createElement("button");
    chip.type = "button";
    chip.className = `more ${[...pile.classList].find((name) => /^p\d+$/.test(name))}`;
    chip.setAttribute("aria-label", fanLabel(count));
    chip.append(Object.assign(document.createElement("span"), { textContent: count }));
    chip.addEventListener("click", () => openFan(pile));
    pile.after(chip);
  }
}

document.addEventListener("scroll", ({ target }) => {
  const was = target.matches?.(".pile.well") && kept.get(target.dataset.place);
  if (was) was.top = target.scrollTop;
}, { capture: true, passive: true });
addEventListener("resize", () => { if (document.getElementById("table")) makeWells(); });
