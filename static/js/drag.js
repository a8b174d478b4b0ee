// Carrying a group with the finger, the mouse or a pen. During the drag one element moves by transform and nothing is laid out.
import { board, game, groupOf, identify, isPlaying, isPaused, locate, placeOf, places } from "./board.js";
import { bestMove } from "./best.js";
import { isSqueezed, openFan } from "./fan.js";
import { carries, faceOf, finish, flyBack, isAway, raise } from "./flip.js";
import { isOn } from "./prefs.js";
import { clear, light, play, tap } from "./select.js";

const air = document.getElementById("air");
const SLOP = { mouse: 4, pen: 6, touch: 9 };
const HOLD_MS = 480;
const HOLD_WIDE_MS = 900; // cards that lie wide enough as they are
let press = null;
let carry = null;
let tappedAt = -1e9;

/** A pointer has just tapped: its click must not count again. */
export const hasJustTapped = () => performance.now() - tappedAt < 600;

game.addEventListener("pointerdown", (event) => {
  if (!event.isPrimary || event.button !== 0 || !event.target.closest(".board") || event.target.closest(".more")) return;
  const card = event.target.closest("button.card[data-card]");
  const well = event.target.closest(".pile.well");
  press = { pointer: event.pointerId, x: event.clientX, y: event.clientY, element: event.target, id: card && identify(card), well, scroll: well?.scrollTop };
  const pile = event.target.closest(".pile");
  if (event.pointerType !== "mouse" && pile) press.hold = setTimeout(hold, isSqueezed(pile) ? HOLD_MS : HOLD_WIDE_MS);
});

function hold() {
  const pile = press?.element.closest(".pile");
  if (!pile || carry || press.scrolls || !openFan(pile)) return;
  tappedAt = performance.now();
  press = null;
}

addEventListener("pointermove", (event) => {
  if (!press || event.pointerId !== press.pointer) return;
  const dx = event.clientX - press.x;
  const dy = event.clientY - press.y;
  if (!carry && Math.hypot(dx, dy) >= (SLOP[event.pointerType] ?? 6)) begin(event, dx, dy);
  if (press.scrolls) press.well.scrollTop = press.scroll - dy;
  if (carry) {
    carry.dx = dx;
    carry.dy = dy;
    carry.frame ??= requestAnimationFrame(follow);
  }
}, { passive: true });

function begin(event, dx, dy) {
  clearTimeout(press.hold);
  const isUpright = Math.abs(dy) > 2 * Math.abs(dx);
  if (press.well && event.pointerType === "touch" && (isUpright || press.scrolls) && Math.abs(dx) < 24) {
    press.scrolls = true;
    return;
  }
  press.scrolls = false;
  const card = press.id && isPlaying() && !isPaused() ? locate(press.id) : null;
  if (!card || carries.size > 3 || groupOf(card).some(isAway)) return; // once that is answered it may be taken up
  game.setPointerCapture(event.pointerId);
  finish();
  lift(card);
}

function lift(card) {
  const first = faceOf(card).getBoundingClientRect();
  const last = faceOf(groupOf(card).at(-1)).getBoundingClientRect();
  clear();
  carry = Object.assign(raise(card), { lead: first, areas: areas(), dx: 0, dy: 0 });
  const origin = air.getBoundingClientRect();
  const frame = document.createElement("div");
  frame.className = "frame";
  Object.assign(frame.style, { left: `${first.left - origin.left}px`, top: `${first.top - origin.top}px`, height: `${last.bottom - first.top}px` });
  carry.element.append(frame);
  carry.element.className = "carry";
  light(card);
  game.classList.add("carrying");
}

/** Each place's area; a pile's reaches to the bottom of the table. */
function areas() {
  return places().filter((where) => !"sw".includes(where.dataset.place)).map((where) => ({ id: where.dataset.place, rect: where.getBoundingClientRect() }));
}

function follow() {
  if (!carry) return;
  carry.frame = null;
  carry.element.style.transform = `translate(${carry.dx}px,${carry.dy - 3}px)`;
}

/** The place that the lead card covers most. */
function under({ lead, dx, dy, areas: all }) {
  const [left, top, right, bottom] = [lead.left + dx, lead.top + dy, lead.right + dx, lead.bottom + dy];
  let best = null;
  let most = 0;
  for (const { id, rect } of all) {
    const width = Math.min(right, rect.right) - Math.max(left, rect.left);
    const height = Math.min(bottom, rect.bottom) - Math.max(top, rect.top);
    if (width > 0 && height > 0 && width * height > most) [best, most] = [id, width * height];
  }
  return best;
}

addEventListener("pointerup", (event) => {
  if (!press || event.pointerId !== press.pointer) return;
  clearTimeout(press.hold);
  const done = press;
  press = null;
  tappedAt = performance.now();
  if (carry) return drop();
  if (done.scrolls) return;
  const [x, y] = [event.clientX, event.clientY];
  tap((done.id && locate(done.id)) ?? (done.element.isConnected ? done.element : document.elementFromPoint(x, y)), { x, y });
});

/** With automatic placement: the best place, wherever the group is dropped. */
function anywhere(held) {
  const card = isOn("anywhere") && locate(held.id);
  return card ? bestMove(card)?.split("-")[1] : null;
}

function drop() {
  const held = end();
  const over = under(held);
  if (!carries.has(held)) return;
  const target = over === held.id.place ? over : anywhere(held) ?? over;
  if (!target || target === held.id.place) return flyBack(held);
  held.job = play(held.id, target, { dropped: () => carries.has(held) && flyBack(held) });
}

function end() {
  const held = carry;
  carry = null;
  cancelAnimationFrame(held.frame);
  game.classList.remove("carrying");
  for (const lit of board().querySelectorAll(".target")) lit.classList.remove("target");
  return held;
}

function cancel() {
  clearTimeout(press?.hold);
  press = null;
  if (!carry) return false;
  const held = end();
  if (carries.has(held)) flyBack(held);
  return true;
}
addEventListener("pointercancel", (event) => { if (press?.pointer === event.pointerId) cancel(); });

/** Escape lets go of what is carried. */
export const cancelDrag = cancel;

/** After a swap: what is in the hand keeps its targets lit, with the areas as they are now. */
export function resumeDrag() {
  if (!carry) return;
  if (!carries.has(carry)) {
    end();
    press = null;
    return;
  }
  carry.areas = areas();
  const card = locate(carry.id);
  if (card && placeOf(card)) light(card);
}
