// Where a double click plays to.
import { isTop, legal, place, cardsIn, placeOf, sourceOf } from "./board.js";

/** The best move of the group that `card` leads: its foundation, the longest pile, an empty pile; or null. */
export function bestMove(card) {
  const source = sourceOf(card);
  if (isTop(card) && legal().has(`${source}-f`)) return `${source}-f`;
  const home = card.closest("[data-place]");
  const isWholePile = placeOf(card)[0] === "t" && !home.querySelector(".downs") && cardsIn(home)[0] === card;
  let best = null;
  let size = -1;
  for (const move of legal()) {
    const [from, to] = move.split("-");
    if (from !== source || to[0] !== "t") continue;
    const length = place(to).querySelectorAll(".card").length;
    if (length === 0 && isWholePile) continue;
    if (length > size) [best, size] = [move, length];
  }
  return best;
}
