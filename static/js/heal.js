// A page that was away looks again: shown again, come back to with the back button, online again.
import { table, words } from "./board.js";
import { toast } from "./say.js";
import { currentJob, forget, isBusy, refresh } from "./send.js";

let shownAt = performance.now();

function look() {
  if (isBusy() || performance.now() - shownAt < 500) return;
  shownAt = performance.now();
  refresh();
}
document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
addEventListener("focus", look);
addEventListener("online", look);
addEventListener("pageshow", (event) => {
  if (event.persisted || performance.getEntriesByType("navigation")[0]?.type === "back_forward") refresh();
});

// A look that finds the same table changes nothing; one that finds another shows it and says so.
let isMoved = false;
document.addEventListener("htmx:before:swap", (event) => {
  const { ctx } = event.detail;
  if (ctx.target?.id !== "table" || ctx.request.method !== "GET") return;
  const version = Number(ctx.text?.match(/data-version="(\d+)"/)?.[1] ?? -1);
  isMoved = !currentJob() && version > Number(table().dataset.version);
  if (!isMoved) event.preventDefault();
});
document.addEventListener("htmx:after:swap", (event) => {
  const { ctx } = event.detail;
  if (ctx.response?.status === 409) forget();
  if (isMoved && ctx.request.method === "GET") toast(words.healed);
  isMoved = false;
});
