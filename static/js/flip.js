// Cards move from where they were seen to where they lie: measured before and after the swap, then transforms only.
import { allCards, board, cardsIn, foundationsFor, game, groupOf, identify, locate, place, placeOf } from "./board.js";

const air = document.getElementById("air");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const OUT = "cubic-bezier(.2,.8,.2,1)";
const STD = "cubic-bezier(.3,.1,.2,1)";
const flights = new Set();
/** Groups in the hand, or on their way and waiting for their answer: { id, names, element, faces, job }. */
export const carries = new Set();
let before = null;

export const faceOf = (card) => card.querySelector(".face");

/** A copy of a card's face in the air (or from another `origin`), over where it lies. */
export function copyFace(face, rect = face.getBoundingClientRect(), origin = air.getBoundingClientRect()) {
  const copy = face.cloneNode(true);
  const style = getComputedStyle(face);
  for (const name of ["--idx", "--idx-s", "--art"]) copy.style.setProperty(name, style.getPropertyValue(name));
  copy.style.transform = `translate(${rect.left - origin.left}px,${rect.top - origin.top}px)`;
  return copy;
}

/** Take a group up from the table into the air; one more of `carries`. */
export function raise(card) {
  const group = groupOf(card);
  const faces = group.map((each) => copyFace(faceOf(each)));
  const element = document.createElement("div");
  element.append(...faces);
  air.append(element);
  for (const each of group) each.classList.add("gone");
  const carry = { id: identify(card), names: group.map((each) => each.dataset.card), element, faces, job: null };
  carries.add(carry);
  return carry;
}

/** Whether a card is on its way, and only hidden where it lay. */
export const isAway = (card) => [...carries].some(({ begun, id, names }) => begun && id.place === placeOf(card) && names.includes(card.dataset.card));

/** The cards of a group that is in the air are seen again where they lie. */
function show({ id, names }) {
  const lead = locate(id);
  for (const card of lead ? groupOf(lead).slice(0, names.length) : []) card.classList.remove("gone");
}

/** A group sets out for its target while the server is still asked; it lands, or flies back, by the answer to `job`. */
export function depart(card, target, job) {
  if (calm.matches || carries.size) return;
  finish();
  const from = faceOf(card).getBoundingClientRect();
  const to = landing(card, target);
  if (!to) return;
  const carry = raise(card);
  Object.assign(carry, { job, begun: performance.now() });
  const rects = carry.faces.map((face) => face.getBoundingClientRect());
  carry.faces.forEach((face, index) => {
    const dx = to.left - from.left;
    const dy = to.step ? to.top + index * to.step - rects[index].top : to.top - from.top;
    const start = face.style.transform;
    face.animate([{ transform: start }, { transform: `translate(${dx}px,${dy}px) ${start}` }], { duration: 180, easing: OUT, fill: "both" });
  });
}

// Where it flew to lies elsewhere now: the answer moves it from its pile.
addEventListener("resize", () => {
  for (const carry of [...carries].filter(({ begun }) => begun)) {
    land(carry);
    show(carry);
  }
});

/** About where a group's lead card will lie, and how far apart its cards; where exactly, the answered table says. */
function landing(card, target) {
  const where = place(target === "f" ? foundationsFor(card.dataset.card)[0] : target);
  const all = where ? cardsIn(where).map((each) => faceOf(each).getBoundingClientRect()) : [];
  const top = all.at(-1);
  if (!top) return where?.querySelector(".slot")?.getBoundingClientRect();
  if (where.dataset.place[0] === "f") return top;
  const step = all.length > 1 ? top.top - all.at(-2).top : top.height * .28;
  return { left: top.left, top: top.top + step, step };
}

/** Everything that flies arrives at once. */
export function finish() {
  for (const flight of [...flights]) flight.finish();
  for (const each of board().getAnimations({ subtree: true })) if (each.effect.target.matches(".face") && !each.effect.pseudoElement) each.finish();
}

function entries() {
  return allCards().map((card) => {
    const face = faceOf(card);
    return { card, face, name: card.dataset.card, place: placeOf(card), rect: face.getBoundingClientRect(), idx: Number(getComputedStyle(face).getPropertyValue("--idx")) };
  });
}

/** Before the swap: where each card is seen now. */
export function measure() {
  finish();
  const downs = new Map([...board().querySelectorAll(".pile")].map((pile) => [pile.dataset.place, pile.querySelectorAll(".down").length]));
  const stock = board().querySelector('[data-place="s"]')?.getBoundingClientRect();
  before = { seen: entries(), downs, stock };
  for (const carry of carries) {
    carry.faces.forEach((face, index) => {
      const entry = before.seen.find((each) => each.name === carry.names[index] && each.place === carry.id.place && !each.held);
      if (entry) Object.assign(entry, { rect: face.getBoundingClientRect(), held: carry });
    });
  }
}

/** After the swap: let the cards go from there to here. `job` is what was answered. */
export function play(job) {
  if (!before) return;
  const { seen, downs, stock } = before;
  before = null;
  const now = entries();
  pair(now, seen);
  const { begun } = [...carries].find((carry) => carry.begun && carry.job === job) ?? {};
  const flown = begun ? Math.min(performance.now() - begun, 90) : 0;
  for (const carry of [...carries]) if (!keepCarry(carry, job)) land(carry);
  const time = (job?.brisk ? 110 : ["undo", "back"].includes(job?.kind) ? 140 : 180) - flown;
  const flying = [];
  for (const entry of now) {
    const was = entry.was;
    if (entry.card.classList.contains("gone")) continue;
    if (!was) {
      if (entry.place === "w" && stock) flying.push([entry, stock]);
      else if (entry.place[0] === "t" && (downs.get(entry.place) ?? 0) > countDowns(entry.place)) turn(entry);
      continue;
    }
    const dx = was.rect.left - entry.rect.left;
    const dy = was.rect.top - entry.rect.top;
    if (Math.abs(dx) < 1 && Math.abs(dy) < 1) continue;
    if (was.place !== entry.place || was.held) flying.push([entry, was.rect, was.held && was.place === entry.place]);
    else shift(entry, dx, dy, was.idx, time);
  }
  if (flying.length) fly(flying, time);
}

function pair(now, seen) {
  const free = new Set(seen);
  const take = (entry, test) => {
    for (const was of free) {
      if (was.name === entry.name && test(was)) {
        free.delete(was);
        entry.was = was;
        return;
      }
    }
  };
  for (const entry of now) take(entry, (was) => was.place === entry.place);
  for (const entry of now) if (!entry.was) take(entry, () => true);
}

const countDowns = (id) => board().querySelectorAll(`[data-place="${id}"] .down`).length;

/** A group that is still held stays in the hand; its cards on the new table are hidden. */
function keepCarry(carry, job) {
  if (carry.job && carry.job === job) return false;
  const lead = locate(carry.id);
  const group = lead ? groupOf(lead) : [];
  if (group.length !== carry.names.length || group.some((card, index) => card.dataset.card !== carry.names[index])) return false;
  for (const card of group) card.classList.add("gone");
  return true;
}

function land(carry) {
  carries.delete(carry);
  carry.element.remove();
}

/** The carried group goes back to where it lies, without a request. */
export function flyBack(carry) {
  const lead = locate(carry.id);
  const from = carry.faces.map((face) => face.getBoundingClientRect());
  land(carry);
  show(carry);
  if (!lead) return;
  const group = groupOf(lead).slice(0, from.length);
  fly(group.map((card, index) => [{ card, face: faceOf(card), rect: faceOf(card).getBoundingClientRect() }, from[index], true]), 160);
}

function fly(list, base) {
  if (calm.matches) {
    for (const [entry] of list) entry.face.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 80 });
    return;
  }
  const far = Math.max(...list.map(([entry, from]) => Math.hypot(from.left - entry.rect.left, from.top - entry.rect.top)));
  const layer = document.createElement("div");
  const running = list.map(([entry, from, isBack]) => {
    const copy = copyFace(entry.face, entry.rect);
    const to = copy.style.transform;
    layer.append(copy);
    const duration = isBack ? 160 : base + (far > 500 ? 60 : 0);
    const start = `translate(${from.left - entry.rect.left}px,${from.top - entry.rect.top}px) ${to}`;
    return copy.animate([{ transform: start }, { transform: to }], { duration, easing: isBack ? STD : OUT, fill: "both" });
  });
  for (const [entry] of list) entry.card.classList.add("gone");
  air.append(layer);
  const flight = {
    finish() {
      if (!flights.delete(flight)) return;
      layer.remove();
      for (const [entry] of list) entry.card.classList.remove("gone");
    },
  };
  flights.add(flight);
  Promise.allSettled(running.map((each) => each.finished)).then(() => flight.finish());
}

function shift(entry, dx, dy, idx, duration) {
  if (calm.matches) return;
  entry.face.animate([{ transform: `translate(${dx}px,${dy}px)` }, { transform: "none" }], { duration, easing: OUT });
  if (Math.abs(idx - entry.idx) > .02) entry.face.animate([{ "--idx": idx }, { "--idx": entry.idx }], { duration, easing: OUT });
}

function turn(entry) {
  if (calm.matches) return;
  const back = game.querySelector(".down > .face") ?? entry.face;
  const cover = document.createElement("div");
  const copy = copyFace(back, entry.rect);
  cover.className = "card down";
  copy.style.transform += " scaleX(1)";
  cover.append(copy);
  air.prepend(cover);
  const place = copy.style.transform.replace(" scaleX(1)", "");
  const shut = copy.animate([{ transform: `${place} scaleX(1)` }, { transform: `${place} scaleX(0)` }], { duration: 70, delay: 240, easing: "ease-in", fill: "both" });
  entry.face.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: 70, delay: 310, easing: "ease-out", fill: "backwards" });
  const flight = { finish() { if (flights.delete(flight)) cover.remove(); } };
  flights.add(flight);
  shut.finished.catch(() => {}).then(() => flight.finish());
}

/** Twice 4 px to each side: no. */
export function shake(group) {
  if (calm.matches) return;
  const frames = [0, 4, -4, 4, -4, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  for (const card of group) card.animate(frames, { duration: 180 });
}

/** The cards are dealt from the top centre; any input ends it. */
export function deal() {
  if (calm.matches) return;
  const field = air.getBoundingClientRect();
  const piles = [...board().querySelectorAll(".pile")].map((pile) => [...pile.querySelectorAll(".face")]);
  const order = [];
  for (let row = 0; order.length < piles.flat().length; row += 1) for (const pile of piles) if (pile[row]) order.push(pile[row]);
  const rects = order.map((face) => face.getBoundingClientRect()); // all at once: one that is under way would lay the page out anew
  order.forEach((face, index) => {
    const rect = rects[index];
    const from = `translate(${field.left + field.width / 2 - rect.left - rect.width / 2}px,${field.top - rect.top - rect.height}px)`;
    face.animate([{ transform: from }, { transform: "none" }], { duration: 220, delay: index * 26, easing: OUT, fill: "backwards" });
  });
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, finish, { once: true, capture: true });
}
