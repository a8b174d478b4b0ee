// A win: the cards stream over the table, one band of green light sweeps it, the panel rises, the score counts up.
// It stands in nobody's way: any tap or key, a hidden page or a wish for less motion ends it at once.
import { game, table } from "./board.js";
import { cascade } from "./cascade.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const PANEL_MS = 760;
let end = null;

export function celebrate() {
  const panel = document.getElementById("win");
  panel?.focus({ preventScroll: true });
  if (calm.matches || document.hidden) return;
  end?.();
  const stream = cascade();
  const { band, sweep } = light();
  const running = [...stream.animations, sweep, ...(panel ? rise(panel) : [])];
  const stops = new AbortController();
  end = () => {
    end = null;
    stops.abort();
    for (const each of running) each.finish();
    stream.remove();
    band.remove();
  };
  const count = panel && countUp(panel.querySelector("[data-count]"), PANEL_MS + 100, stops.signal);
  const skip = (event) => {
    if (event.type === "pointerdown" && panel && getComputedStyle(panel).opacity < .5) swallowClick();
    end?.();
  };
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, skip, { capture: true, signal: stops.signal });
  document.addEventListener("visibilitychange", skip, { signal: stops.signal });
  calm.addEventListener("change", skip, { signal: stops.signal });
  const mine = end;
  Promise.allSettled([...running.map((each) => each.finished), count]).then(() => end === mine && mine());
}

/** One element of green light, over the table once. */
function light() {
  const band = document.createElement("div");
  band.className = "band";
  game.append(band);
  const width = game.clientWidth;
  const at = (x) => ({ transform: `translateX(${x}px) skewX(-10deg)` });
  const sweep = band.animate([at(-width), at(width * 1.2)], { duration: 700, delay: 200, fill: "both", easing: "ease-in-out" });
  return { band, sweep };
}

function rise(panel) {
  const scrim = table().querySelector(".scrim");
  const timing = { duration: 240, delay: PANEL_MS, fill: "backwards" };
  return [
    scrim.animate([{ opacity: 0 }, { opacity: 1 }], timing),
    panel.animate([{ opacity: 0, transform: "translateY(16px)" }, { opacity: 1, transform: "none" }], { ...timing, easing: "cubic-bezier(.25,1.15,.4,1)" }),
  ];
}

/** The tap that ends it presses nothing of a panel that was not yet to be seen. */
function swallowClick() {
  const done = new AbortController();
  const stop = (event) => {
    event.preventDefault();
    event.stopPropagation();
    done.abort();
  };
  addEventListener("click", stop, { capture: true, signal: done.signal });
  addEventListener("pointerup", () => setTimeout(() => done.abort(), 400), { once: true, signal: done.signal });
}

/** While the panel is open the table behind it cannot be reached; closing it gives the table back. */
export function settleWin() {
  const isOpen = Boolean(table().querySelector(".win:not([hidden])"));
  for (const part of table().querySelectorAll(".bar, .field")) if (part.inert !== isOpen) part.inert = isOpen;
}
document.addEventListener("click", (event) => {
  const isShown = Boolean(event.target.closest("[data-result]"));
  if (!isShown && !event.target.closest("[data-shut]")) return;
  for (const part of table().querySelectorAll(".win, .scrim")) part.hidden = !isShown;
  const back = table().querySelector("[data-result]");
  back.hidden = isShown;
  settleWin();
  (isShown ? document.getElementById("win") : back).focus({ preventScroll: true });
});

/** Count up to the score; resolves when it stands there, at once when `signal` says so. */
function countUp(element, delay, signal) {
  const goal = element.dataset.count;
  const start = performance.now() + delay;
  return new Promise((done) => {
    const stand = () => {
      element.textContent = goal;
      done();
    };
    signal.addEventListener("abort", stand);
    const tick = (now) => {
      const part = Math.min(1, Math.max(0, (now - start) / 500));
      if (part === 1 || signal.aborted || !element.isConnected) return stand();
      element.textContent = Math.round(Number(goal) * (1 - (1 - part) ** 3));
      return requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
}
