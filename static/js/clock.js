// The clock is the server's; the page ticks on from it, and reports when it is hidden, shown or paused.
import { game, isPaused, isPlaying, table } from "./board.js";

const address = `/games/${game.dataset.game}/clock`;
let base = 0;
let since = 0;
let wasRunning = false;

/** Take the server's time from a fresh table. */
export function setClock() {
  base = Number(table().dataset.elapsed);
  since = performance.now();
  wasRunning = "running" in table().dataset;
  draw();
}

const isRunning = () => wasRunning && isPlaying() && !isPaused() && !document.hidden;
const now = () => base + (isRunning() ? performance.now() - since : 0);

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
  if (!table().dataset.running && !("running" in table().dataset) && !isPaused()) return;
  fetch(address, { method: "POST", body: new URLSearchParams({ state }), keepalive: true }).catch(() => {});
}

function stop() {
  base = now();
  since = performance.now();
}

/** Pause covers the cards; resume shows them. */
export function togglePause() {
  if (!isPlaying() || (!wasRunning && !isPaused())) return;
  const isNow = !isPaused();
  if (isNow) stop();
  table().classList.toggle("paused", isNow);
  cover();
  report(isNow ? "paused" : "shown");
  since = performance.now();
  wasRunning = true;
  if (isNow) document.querySelector("[data-resume]").focus({ preventScroll: true });
}

/** While paused nothing of the board can be reached. */
export function cover() {
  const board = table().querySelector(".board");
  board.inert = isPaused();
}

document.addEventListener("click", (event) => { if (event.target.closest("[data-pause], [data-resume]")) togglePause(); });
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    stop();
    if (!isPaused()) report("hidden");
  } else {
    since = performance.now();
    if (!isPaused()) report("shown");
  }
});
addEventListener("pagehide", () => { if (!document.hidden && !isPaused()) report("hidden"); });
setInterval(() => { if (isRunning()) draw(); }, 250);
setInterval(() => { if (isRunning()) report("tick"); }, 30_000);
