// The cascade of a win: each king lifts, and from under it the cards of its suit stream over the table in waves, the ace ahead.
// Copies of the cards, moved by transforms alone; nothing of it can be touched, and it leaves nothing behind.
import { board, placeOf } from "./board.js";
import { copyFace } from "./flip.js";

const RANKS = "A23456789TJQ";
const MOST = 48;
const START_MS = 160; // the last king has landed
const LIFT_MS = 320;
const FLIGHT_MS = 640;
const STEP_MS = 26;
const SUITS_MS = 240;
const POINTS = 12;

/** Draw it; `{ animations, remove }`. */
export function cascade() {
  const faces = [...board().querySelectorAll(".found > button.card > .face")];
  const rects = faces.map((face) => face.getBoundingClientRect());
  const count = Math.min(RANKS.length, Math.floor(MOST / Math.max(1, faces.length)));
  const layer = document.createElement("div");
  layer.className = "cascade";
  layer.setAttribute("aria-hidden", "true");
  const origin = board().getBoundingClientRect();
  const isColumn = faces.length > 1 && rects.at(-1).top - rects[0].top > rects.at(-1).left - rects[0].left;
  const streams = faces.map((face, index) => {
    const suit = placeOf(face)[1].toLowerCase();
    return [...RANKS].slice(-count).map((rank) => {
      const copy = copyFace(face, rects[index], origin);
      copy.querySelector("use").setAttribute("href", `#card-${rank}${suit}`);
      return copy;
    });
  });
  // the aces below the queens: each card comes out from under the one before it
  for (let n = 0; n < count; n += 1) layer.append(...streams.map((cards) => cards[n]));
  board().prepend(layer);
  const animations = streams.flatMap((cards, index) => {
    const start = START_MS + (index / faces.length) * SUITS_MS;
    const frames = waves(rects[index], origin, isColumn, index / faces.length);
    return [rise(faces[index], start), ...cards.map((card, n) => stream(card, frames, start + 60 + n * STEP_MS))];
  });
  return { animations, remove: () => layer.remove() };
}

/** The way over the table and off it, as steps from where the king lies: across from a column, down from a row. */
function waves(rect, origin, isColumn, phase) {
  const isRight = rect.left + rect.width / 2 > origin.left + origin.width / 2;
  const far = isColumn ? (isRight ? origin.left - rect.right : origin.right - rect.left) : origin.bottom - rect.top;
  const high = isColumn ? rect.height * .5 : rect.width * 1.6;
  const point = (s) => {
    const beside = high * Math.min(1, s * 3) * Math.sin(2 * Math.PI * (s * 1.1 + phase * .35));
    return isColumn ? [far * s, beside] : [beside, far * s];
  };
  return Array.from({ length: POINTS + 1 }, (_, index) => {
    const [x, y] = point(index / POINTS);
    const [dx, dy] = point(index / POINTS + .02).map((value, axis) => value - [x, y][axis]);
    const lean = isColumn ? Math.atan(dy / dx) : -Math.atan(dx / dy);
    return `translate(${x}px,${y}px) rotate(${index ? lean * .35 : 0}rad)`;
  });
}

function stream(face, steps, delay) {
  const home = face.style.transform;
  return face.animate(steps.map((step) => ({ transform: `${home} ${step}` })), { duration: FLIGHT_MS, delay, easing: "cubic-bezier(.45,.05,.6,.95)", fill: "both" });
}

function rise(face, delay) {
  return face.animate([{ transform: "none" }, { transform: "translateY(-6px)" }, { transform: "none" }], { duration: LIFT_MS, delay, easing: "cubic-bezier(.2,.8,.2,1)" });
}
