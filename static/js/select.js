// Picking and dropping by tap, click or key: one state, the group that is picked.
import { bestMove } from "./best.js";
import { board, cardsIn, groupOf, identify, isPaused, isPlaying, isTop, legal, locate, moveTo, place, placeOf, sourceOf, table, targetsOf, topOf, words } from "./board.js";
import { depart, isAway, shake } from "./flip.js";
import { isOn } from "./prefs.js";
import { say, toast } from "./say.js";
import { send } from "./send.js";

const DOUBLE_MS = 350;
const DOUBLE_PX = 24;
let picked = null;
let last = { time: -1e9, what: "", where: "", played: false, x: 0, y: 0 };

export const pickedCard = () => (picked ? locate(picked) : null);

/** Pick a group: one gold frame round it, and its targets light up. */
export function select(card, { aloud = false } = {}) {
  clear();
  picked = identify(card);
  paint(card);
  if (aloud) say(words.picked.replace("%s", card.getAttribute("aria-label")));
}

export function clear() {
  picked = null;
  table().classList.remove("hinting");
  for (const element of board().querySelectorAll(".sel, .lead, .target")) unpaint(element);
}

function unpaint(element) {
  element.classList.remove("sel", "lead", "target");
  for (const name of [...element.classList]) if (/^u\d+$/.test(name)) element.classList.remove(name);
  element.removeAttribute("aria-pressed");
}

function paint(card) {
  const group = groupOf(card);
  card.classList.add("lead", `u${group.length}`);
  for (const each of group) {
    each.classList.add("sel");
    each.setAttribute("aria-pressed", "true");
  }
  light(card);
}

/** Light the places where the group may go. */
export function light(card) {
  if (!isOn("lights")) return;
  for (const id of targetsOf(card).keys()) (topOf(id) ?? place(id).querySelector(".slot"))?.classList.add("target");
}

/** The hinted move, while it is shown. */
const hint = () => (table().classList.contains("hinting") ? table().dataset.hint : "");

/** After a swap: what was picked stays picked while it still lies there. */
export function repaint() {
  if (hint()) {
    picked = null;
    return;
  }
  const chosen = picked ? locate(picked) : board().querySelector(".card.lead");
  const isThere = chosen && isPlaying() && (!picked || placeOf(chosen) === picked.place);
  clear();
  if (isThere) select(chosen);
}

/** Ask for a move of the group that `id` leads onto `target`, on the table as it is when its turn comes; the job. */
export function play(id, target, { stays = false, dropped } = {}) {
  if (!stays) clear();
  const job = {
    kind: "move",
    dropped,
    move() {
      const card = locate(id);
      const isThere = card && (placeOf(card) === target || (placeOf(card)[0] === "f" && target[0] === "f"));
      if (!card || !isPlaying() || isThere) return null;
      const text = moveTo(card, target);
      if (!dropped && legal().has(text)) {
        clear();
        depart(card, target, job);
      }
      return text;
    },
  };
  send(job);
  return job;
}

/** Play to the best place; without one the group shakes. */
export function playBest(card) {
  const move = bestMove(card);
  if (move) return play(identify(card), move.split("-")[1]);
  shake(groupOf(card));
  return toast(words.nowhere, { icon: "no" });
}

export const playFoundation = (card) => play(identify(card), "f");

export function dealStock() {
  if (!place("s") || !canAct()) return;
  clear();
  send({ kind: "move", move: () => (isPlaying() ? "s-w" : null) });
}

export const canAct = () => isPlaying() && !isPaused();

/** The card that is seen where one lies: what is on its way only hides what it lay on. */
const seen = (card) => (card && isAway(card) ? cardsIn(card.closest("[data-place]")).filter((each) => !isAway(each)).at(-1) ?? null : card);

/** A tap or click at (x, y) on something of the board; `key` when a key did it. */
export function tap(element, { x = 0, y = 0, key = false } = {}) {
  if (!canAct() || !element) return;
  const where = placeOf(element);
  const card = seen(element.closest("button.card[data-card]"));
  if (!where) return clear();
  if (hint() && where[0] === hint().split("-")[1][0] && element.closest(".target")) return playHint();
  const now = performance.now();
  const what = card ? `${card.dataset.card} ${where}` : where;
  const before = last;
  last = { time: now, what, where, played: false, x, y };
  const isSoon = !key && now - before.time < DOUBLE_MS;
  const isAgain = isSoon && before.where === where && Math.hypot(x - before.x, y - before.y) < DOUBLE_PX;
  if (isAgain && before.played && where !== "s") return; // the other half of a double tap
  if (where === "s") {
    last.played = true;
    return dealStock();
  }
  const chosen = pickedCard();
  if (chosen) return onto(chosen, card, where, isSoon && before.what === what);
  if (!card) return;
  if (!key && isTop(card) && where[0] !== "f" && legal().has(`${sourceOf(card)}-f`)) {
    last.played = true;
    return playFoundation(card);
  }
  return select(card, { aloud: key });
}

/** The hinted place is tapped: the hinted move is played. */
function playHint() {
  const text = table().dataset.hint;
  clear();
  return send({ kind: "move", move: () => (isPlaying() && legal().has(text) ? text : null) });
}

function onto(chosen, card, where, isDouble) {
  if (card === chosen) return isDouble && isOn("double") ? playBest(card) : clear();
  if (where === placeOf(chosen)) return card ? select(card) : clear();
  const isLegal = legal().has(moveTo(chosen, where));
  if (!isLegal && card && !isTop(card)) return select(card);
  last.played = true;
  return play(identify(chosen), where, { stays: !isLegal });
}
