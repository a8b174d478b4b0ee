// A win: the kings lift, one band of green light sweeps the table, the panel rises, the score counts up. Skippable.
import { board, game, table } from "./board.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

export function celebrate() {
  const panel = document.getElementById("win");
  if (!panel) return;
  panel.focus({ preventScroll: true });
  if (calm.matches) return;
  const running = [];
  [...board().querySelectorAll(".found .face")].filter((face) => face.parentElement.matches("button")).forEach((face, index) => {
    running.push(face.animate([{ transform: "none" }, { transform: "translateY(-6px)" }, { transform: "none" }], { duration: 320, delay: 180 + index * 60, easing: "cubic-bezier(.2,.8,.2,1)" }));
  });
  const band = document.createElement("div");
  band.className = "band";
  table().append(band);
  const width = game.clientWidth;
  const sweep = band.animate([{ transform: `translateX(${-width}px)` }, { transform: `translateX(${width * 1.2}px)` }], { duration: 700, delay: 200, fill: "both", easing: "ease-in-out" });
  sweep.finished.catch(() => {}).then(() => band.remove());
  const scrim = table().querySelector(".scrim");
  running.push(sweep, scrim.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 240, delay: 660, fill: "backwards" }));
  running.push(panel.animate([{ opacity: 0, transform: "translateY(16px)" }, { opacity: 1, transform: "none" }], { duration: 240, delay: 660, fill: "backwards", easing: "cubic-bezier(.25,1.15,.4,1)" }));
  count(panel.querySelector("[data-count]"), 760);
  const skip = () => { for (const each of running) each.finish(); };
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, skip, { once: true, capture: true });
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

function count(element, delay) {
  const goal = Number(element.dataset.count);
  const start = performance.now() + delay;
  const tick = (now) => {
    const part = Math.min(1, Math.max(0, (now - start) / 500));
    element.textContent = Math.round(goal * (1 - (1 - part) ** 3));
    if (part < 1 && element.isConnected) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
