// One write at a time. What is asked meanwhile waits, and is looked up again on the fresh table before it goes.
// A lost answer is asked for again, with the same version: the server does it once.
import { table, words } from "./board.js";
import { hush, toast } from "./say.js";

const WAITS = [400, 900, 1800, 3500, 6000];
const forms = Object.fromEntries(["move", "undo", "redo", "hint", "fair", "verdict", "back", "see"].map((name) => [name, document.getElementById(`${name}-form`)]));
// htmx takes the forms over at once, not only when it has started by itself.
window.htmx.process(document.getElementById("game"));
const waiting = [];
let current = null;
let isLeaving = false;
addEventListener("pagehide", () => { isLeaving = true; });
addEventListener("pageshow", () => { isLeaving = false; });

export const isBusy = () => current !== null;
/** The job whose answer is being swapped in. */
export const currentJob = () => current;

/** Ask for a write; resolves when it is answered or dropped. `job.kind` is a form's; `job.move()` gives the move's text on the
    table as it is then, or null; `job.fields` what the form says beside; `job.version` another version than the table's; `job.unless()`
    whether it has become pointless. */
export function send(job) {
  return new Promise((done) => {
    job.answered = done;
    waiting.push(job);
    pump();
  });
}

/** Forget what waits (the table has become another one). */
export function forget() {
  for (const job of waiting.splice(0)) {
    job.dropped?.();
    job.answered();
  }
}

async function pump() {
  if (current || !waiting.length) return;
  current = waiting.shift();
  const job = current;
  job.text = job.kind === "move" ? job.move() : job.kind;
  job.version ??= table().dataset.version;
  const pointless = job.unless?.() || (job.kind !== "move" && table().querySelector(`[data-do="${job.kind}"]`)?.disabled);
  if (job.text && !pointless) await until(job);
  else job.dropped?.();
  current = null;
  job.answered();
  pump();
}

async function until(job) {
  for (let attempt = 0; ; attempt += 1) {
    job.failed = null;
    await submit(job);
    if (!job.failed) break;
    if (job.failed >= 400 && job.failed < 500) return location.reload();
    if (!isLeaving) toast(job.failed === "network" ? words.offline : words.trouble, { stays: true, icon: "no", quiet: attempt > 0 });
    job.retried = true;
    await pause(WAITS[Math.min(attempt, WAITS.length - 1)]);
  }
  if (!job.retried) return;
  if (waiting.length) waiting[0].retried = true; // said once, after what waited with it
  else toast(words.back);
}

function submit(job) {
  const form = forms[job.kind];
  form.elements.version.value = job.version;
  for (const old of form.querySelectorAll("[data-field]")) old.remove();
  for (const [name, value] of Object.entries(job.kind === "move" ? { move: job.text } : job.fields ?? {})) {
    const field = Object.assign(document.createElement("input"), { type: "hidden", name, value });
    field.dataset.field = "";
    form.append(field);
  }
  return new Promise((done) => {
    form.addEventListener("htmx:finally:request", done, { once: true });
    form.requestSubmit();
  });
}

function pause(ms) {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    addEventListener("online", () => { clearTimeout(timer); done(); }, { once: true });
  });
}

/** Fetch the table as it stands (another tab may have moved on). */
export function refresh() {
  if (current || waiting.length) return;
  forms.see.requestSubmit();
}

// What came back: a table is swapped in; anything else is not shown but asked for again.
document.addEventListener("htmx:before:swap", (event) => {
  const { ctx } = event.detail;
  if (ctx.target?.id !== "table" || ctx.text?.includes('id="table"')) return;
  event.preventDefault();
  if (current) current.failed = ctx.response?.status >= 400 ? ctx.response.status : 500;
});
document.addEventListener("htmx:error", (event) => {
  if (current && event.detail.ctx?.sourceElement === forms[current.kind]) current.failed = "network";
});
document.addEventListener("htmx:after:swap", () => { if (!current?.retried) hush(); });
