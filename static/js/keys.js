// The whole game by keys: arrows between and inside the piles, pick and drop, letters, and cards typed by name.
import { ask } from "./advice.js";
import { allCards, board, identify, isPaused, isTop, locate, placeOf, words } from "./board.js";
import { cancelDrag } from "./drag.js";
import { isOpen, open } from "./dialogs.js";
import { togglePause } from "./clock.js";
import { canAct, clear, dealStock, pickedCard, play, playBest, playFoundation, select } from "./select.js";
import { send } from "./send.js";
import { toast } from "./say.js";

const RANKS = "A23456789TJQK";
let at = null;
let typed = "";
let typedAt = 0;
let unseenAt = -1e9;

const STOPS = "button.card, button.slot";
const items = () => [...board().querySelectorAll(STOPS)];

/** One card of the board is in the tab order; arrows move on from it. */
export function rove(chosen) {
  const all = items();
  const target = chosen ?? (at && find(at)) ?? all[0];
  for (const each of all) {
    const index = each === target ? "0" : "-1";
    if (each.getAttribute("tabindex") !== index) each.setAttribute("tabindex", index); // a swap keeps it: what stays is not written again
  }
  if (target) at = { place: placeOf(target), id: target.dataset.card ? identify(target) : null };
}

/** A board that has come is as the one in the page but for what is new. */
export function unrove(fragment) {
  for (const each of fragment.querySelectorAll(`.board :is(${STOPS})`)) each.setAttribute("tabindex", "-1");
}

function find(spot) {
  return (spot.id && locate(spot.id)) ?? board().querySelector(`[data-place="${spot.place}"] li:last-child button, [data-place="${spot.place}"] > button`);
}

/** Focus was on the board before the swap: it goes on with the card that moved. */
export function refocus(lead) {
  rove(lead ?? undefined);
  find(at)?.focus({ preventScroll: true });
}

document.addEventListener("focusin", (event) => { if (event.target.matches?.(".board button.card, .board button.slot")) rove(event.target); });

function step(dx, dy) {
  const from = document.activeElement.closest?.(".board button") ?? find(at ?? {}) ?? items()[0];
  if (!from) return;
  const home = from.closest("[data-place]");
  let next = null;
  if (dy) {
    const own = items().filter((each) => each.closest("[data-place]") === home);
    next = own[own.indexOf(from) + dy];
  }
  next ??= nearest(from, home, dx, dy);
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

/** The nearest card in a direction, the column's own direction counting most. */
function nearest(from, home, dx, dy) {
  const a = from.getBoundingClientRect();
  let best = null;
  let least = Infinity;
  for (const each of items()) {
    if (each.closest("[data-place]") === home) continue;
    const b = each.getBoundingClientRect();
    const along = dx ? (b.left + b.width / 2 - a.left - a.width / 2) * dx : (b.top - a.top) * dy;
    const beside = dx ? Math.abs(b.top - a.top) : Math.abs(b.left + b.width / 2 - a.left - a.width / 2);
    if (along < a.width / 3) continue;
    const cost = dx ? along * 4 + beside : along + beside * 4;
    if (cost < least) [best, least] = [each, cost];
  }
  return best;
}

const LETTERS = {
  u: () => isPaused() || send({ kind: "undo" }), r: () => isPaused() || send({ kind: "redo" }), n: () => open("new"), m: () => open("menu"),
  p: togglePause, f: () => withCard(playFoundation), b: () => withCard(playBest), d: dealStock, "?": () => open("keys"),
  h: () => isPaused() || ask("hint"),
};
function withCard(act) {
  const card = pickedCard() ?? document.activeElement.closest?.(".board button.card[data-card]");
  if (card && canAct()) act(card);
}
// Letters can be switched off, for those whose speech input types them.
const letters = document.querySelector("[data-letters]");
letters.checked = localStorage.getItem("letters") !== "off";
letters.addEventListener("change", () => localStorage.setItem("letters", letters.checked ? "on" : "off"));
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

addEventListener("keydown", (event) => {
  if (event.altKey || isOpen() || event.target.matches?.("input, textarea, select")) return;
  const key = event.key;
  if (event.ctrlKey || event.metaKey) {
    if (key.toLowerCase() !== "z") return;
    event.preventDefault();
    LETTERS[event.shiftKey ? "r" : "u"]();
    return;
  }
  if (key === " " && isNaming()) isSwallowed = true;
  else if (ARROWS[key]) step(...ARROWS[key]);
  else if (key === "Escape") escape();
  else if (key !== "?" && !letters.checked) return;
  else if (typing(key.toLowerCase())) { /* the letter belonged to a card's name */ }
  else if (LETTERS[key.toLowerCase()]) LETTERS[key.toLowerCase()]();
  else return;
  event.preventDefault();
});

// A rank that was typed before a dialog opened is no part of what is typed after it.
document.addEventListener("opened", () => { typed = ""; });

// The space between two typed cards does not press the focused card.
let isSwallowed = false;
const isNaming = () => performance.now() - typedAt < 2500 && Boolean(pickedCard()?.dataset.typed);
addEventListener("keyup", (event) => {
  if (event.key !== " " || !isSwallowed) return;
  isSwallowed = false;
  event.preventDefault();
}, { capture: true });

function escape() {
  typed = "";
  if (!cancelDrag()) clear();
}

/** Take a letter as part of a card's name: rank, then suit; after a picked card also f and e. */
function typing(letter) {
  if (letter.length > 1 || !canAct()) return false;
  if (performance.now() - typedAt > 2500) typed = "";
  const picked = pickedCard();
  const isName = typed && "shdc".includes(letter);
  if (!typed && "fe".includes(letter) && performance.now() - unseenAt < 2500) return true; // it was meant for a card that is not seen
  if (!typed && picked && picked.dataset.typed && letter === "f") return Boolean(playFoundation(picked)) || true;
  if (!typed && picked && picked.dataset.typed && letter === "e") return toEmpty(picked);
  if (!isName && !(typed === "1" ? letter === "0" : letter === "1" || RANKS.includes(letter.toUpperCase()))) return false;
  typedAt = performance.now();
  typed = isName ? typed + letter : (typed === "1" || letter === "0" ? "t" : letter);
  if (!isName) return true;
  const name = typed.toUpperCase();
  typed = "";
  named(name, picked);
  return true;
}

function named(name, picked) {
  const cards = allCards().filter((card) => card.dataset.card === name);
  const top = cards.find(isTop);
  if (picked?.dataset.typed && picked !== cards[0]) {
    const target = top ?? cards[0];
    if (target && placeOf(target) === placeOf(picked)) return toast(words.nowhere, { icon: "no" });
    if (target) return play(identify(picked), placeOf(target), { stays: true });
  }
  const card = cards.find((each) => placeOf(each)[0] !== "f") ?? cards[0];
  if (!card) {
    unseenAt = performance.now();
    toast(words.unseen.replace("%s", name), { icon: "no" });
    return undefined;
  }
  select(card, { aloud: true });
  card.dataset.typed = "1";
  card.focus({ preventScroll: true });
  return undefined;
}

function toEmpty(picked) {
  const empty = board().querySelector(".pile:not(:has(.card))");
  if (empty) play(identify(picked), empty.dataset.place, { stays: true });
  else toast(words.nowhere, { icon: "no" });
  return true;
}

