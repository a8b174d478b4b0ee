// The table as it stands in the page: places, cards, groups, and the moves that the server calls legal.

export const game = document.getElementById("game");
export const table = () => document.getElementById("table");
export const board = () => table().querySelector(".board");
export const words = document.getElementById("words")?.dataset ?? {};

export const isPlaying = () => table().dataset.status === "playing" && !("watch" in table().dataset);
export const isPaused = () => table().classList.contains("paused");

let cached = { text: null, moves: new Set() };
/** The legal moves, as a set of their texts. */
export function legal() {
  const text = table().dataset.legal ?? "";
  if (cached.text !== text) cached = { text, moves: new Set(text.split(" ").filter(Boolean)) };
  return cached.moves;
}

export const places = () => [...board().querySelectorAll("[data-place]")];
export const place = (id) => board().querySelector(`[data-place="${id}"]`);
export const placeOf = (element) => element?.closest("[data-place]")?.dataset.place;

/** The face-up cards of a place that can be held, from the base card to the top card. */
export const cardsIn = (where) => [...where.querySelectorAll("button.card[data-card]")];
export const topOf = (id) => cardsIn(place(id)).at(-1);
export const isTop = (card) => cardsIn(card.closest("[data-place]")).at(-1) === card;
export const allCards = () => [...board().querySelectorAll("button.card[data-card]")];

/** A card and all that lies on it. */
export function groupOf(card) {
  const all = cardsIn(card.closest("[data-place]"));
  return all.slice(all.indexOf(card));
}

/** How a move names the group that this card leads: t4x3, w, fS. */
export function sourceOf(card) {
  const count = groupOf(card).length;
  return placeOf(card) + (count > 1 ? `x${count}` : "");
}

/** What stays of a card when the table is drawn anew: two packs hold each name twice. */
export const identify = (card) => ({ name: card.dataset.card, place: placeOf(card), count: groupOf(card).length });

/** The card that `id` meant, where it lies now; null when it is not face up on the table. */
export function locate(id) {
  const same = allCards().filter((card) => card.dataset.card === id.name);
  return same.find((card) => placeOf(card) === id.place && groupOf(card).length === id.count)
    ?? same.find((card) => placeOf(card) === id.place)
    ?? (same.length === 1 ? same[0] : null);
}

const RANKS = "A23456789TJQK";
/** The places where a group may go, as a map from place to move; the moves come from the legal list. */
export function targetsOf(card) {
  const source = `${sourceOf(card)}-`;
  const found = new Map();
  for (const move of legal()) {
    if (!move.startsWith(source)) continue;
    const target = move.slice(source.length);
    if (target === "f") for (const id of foundationsFor(card.dataset.card)) found.set(id, move);
    else found.set(target, move);
  }
  return found;
}

/** The foundations that wait for this card. */
export function foundationsFor(name) {
  const below = RANKS.indexOf(name[0]) - 1;
  return places().filter((where) => where.dataset.place.startsWith(`f${name[1]}`))
    .filter((where) => (topOf(where.dataset.place)?.dataset.card ?? "") === (below < 0 ? "" : RANKS[below] + name[1]))
    .map((where) => where.dataset.place).slice(0, 1);
}

/** The text of a move onto a place. */
export const moveTo = (card, target) => `${sourceOf(card)}-${target[0] === "f" ? "f" : target}`;
