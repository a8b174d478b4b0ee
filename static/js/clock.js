// The clock is the server's; the page ticks on from it, and reports when it is hidden, shown or paused.
import { game, isPaused, isPlaying, table } from "./board.js";
import { toast } from "./say.js";

const address = `/games/${game.dataset.game}/clock`;
let base = 0;
let since = 0;
let isCounting = false;
/** A race's clock runs on whatever the page does: by the time of day, also while the computer sleeps. */
const isRaced = "raced" in game.dataset;

const isStarted = () => isPlaying() && "hasMoves" in table().dataset && !isRaced;

/** Take the server's time from a fresh table; a table that is seen counts. `staysPaused`: what was asked before a pause is
    answered within it; the server's clock, which runs with every move, is stopped again. */
export function setClock(staysPaused = false) {
  base = Number(table().dataset.elapsed);
  since = time();
  isCounting = "running" in table().dataset;
  if (staysPaused && isPlaying()) {
    table().classList.add("paused");
    if (isCounting) stop("paused");
  }
  if (!isCounting && isStarted() && !isPaused() && !document.hidden) resume();
  draw();
}

const time = () => (isRaced ? Date.now() : performance.now());
const isRunning = () => isCounting && isPlaying() && (isRaced || (!isPaused() && !document.hidden));
/** The game's time in ms, as it runs on here. */
export const now = () => base + (isRunning() ? time() - since : 0);

function draw() {
  const seconds = Math.floor(now() / 1000);
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const text = hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  const face = document.getElementById("clock");
  if (face && face.textContent !== text) face.textContent = text;
}

function report(state) {
  if (!isStarted()) return;
  fetch(address, { method: "POST", body: new URLSearchParams({ state }), keepalive: true }).catch(() => {});
}

function stop(state) {
  base = now();
  isCounting = false;
  report(state);
}

function resume() {
  since = time();
  isCounting = true;
  report("shown");
}

/** Pause covers the cards; resume shows them. */
export function togglePause() {
  if (isPlaying() && !isRaced && !isStarted()) toast(document.getElementById("words").dataset.unstarted);
  if (!isStarted()) return;
  const isPausing = !isPaused();
  if (isPausing) stop("paused");
  table().classList.toggle("paused", isPausing);
  cover();
  if (isPausing) document.querySelector("[data-resume]").focus({ preventScroll: true });
  else resume();
}

/** While paused nothing of the board can be reached. */
export function cover() {
  table().querySelector(".board").inert = isPaused();
}

document.addEventListener("click", (event) => { if (event.target.closest("[data-pause], [data-resume]")) togglePause(); });
document.addEventListener("visibilitychange", () => {
  if (isPaused() || isRaced) return;
  if (document.hidden) stop("hidden");
  else resume();
});
addEventListener("pagehide", () => { if (!document.hidden && !isPaused() && !isRaced) stop("hidden"); });
addEventListener("pageshow", (event) => { if (event.persisted && !isPaused() && !isRaced) resume(); });
setInterval(() => { if (isRunning()) draw(); }, 250);
setInterval(() => { if (isRunning()) report("tick"); }, 30_000);
