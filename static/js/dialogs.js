// Sheets and panels, the question before a game is left, copying and sharing.
import { say, toast } from "./say.js";

const dialogs = () => [...document.querySelectorAll("dialog")];
export const isOpen = () => dialogs().some((dialog) => dialog.open);

export function open(id) {
  const dialog = document.getElementById(id);
  if (!dialog || dialog.open) return;
  for (const other of dialogs()) if (other.open) other.close();
  if (id === "sure") fill(dialog);
  show(dialog);
}

/** Open a dialog; who listens for `opened` lets go of what was half done. */
export function show(dialog) {
  dialog.showModal();
  dialog.dispatchEvent(new Event("opened", { bubbles: true }));
}

const hasMoves = () => {
  const table = document.getElementById("table");
  if (!table) return document.querySelector("[data-under-way]") !== null;
  return "hasMoves" in table.dataset && ["playing", "stuck"].includes(table.dataset.status) && !("watch" in table.dataset);
};

let pending = null;
function fill(dialog) {
  const yes = document.getElementById("sure-yes");
  yes.textContent = yes.dataset[pending.kind];
  dialog.querySelector("h2").textContent = yes.dataset[`${pending.kind}Title`];
}
function ask(kind, go) {
  pending = { kind, go };
  if (hasMoves()) open("sure");
  else go();
}

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  const opener = on("[data-open]");
  const asking = on("a[data-confirm]");
  const copier = on("[data-copy]");
  const fetcher = on("[data-copy-from]");
  const sharer = on("[data-share]");
  if (on("#sure-yes")) pending?.go();
  else if (asking) {
    event.preventDefault();
    ask(asking.dataset.confirm, () => document.getElementById("restart-form").submit());
  } else if (opener && document.getElementById(opener.dataset.open)) {
    event.preventDefault();
    open(opener.dataset.open);
  } else if (copier) {
    event.preventDefault();
    if (copier.matches(".code") && document.getElementById("deal") && isPlate()) open("deal");
    else copy(copier.dataset.copy, copier.dataset.copied);
  } else if (fetcher) {
    fetchText(fetcher.dataset.copyFrom).then((text) => text && copy(text, fetcher.dataset.copied));
  } else if (sharer) {
    event.preventDefault();
    share(new URL(sharer.dataset.share, location.href).href, sharer.dataset.copied);
  }
  if (on("[data-print]")) print();
  const closer = on("[data-close]");
  if (closer) {
    if (closer.matches("a")) event.preventDefault();
    closer.closest("dialog")?.close();
  }
  if (event.target.matches("dialog[open]") && isOutside(event)) event.target.close();
});

document.addEventListener("submit", (event) => {
  if (event.target.dataset.confirm !== "new" || pending?.sure === event.target || !hasMoves()) return;
  event.preventDefault();
  event.stopPropagation(); // the question comes before htmx
  const { target, submitter } = event;
  const go = () => { pending = { sure: target }; target.requestSubmit(submitter); };
  isRefused(target.elements.code).then((isWrong) => (isWrong ? go() : ask("new", go)));
}, { capture: true });

/** Whether what is typed is no code: then no game would end, and nothing need be asked. */
async function isRefused(field) {
  if (!field) return false;
  try {
    const { status } = await fetch(`/api/v1/deals/${encodeURIComponent(field.value.trim() || "-")}`);
    return status === 422;
  } catch {
    return false;
  }
}

// A code that was refused: its form comes back (with its dialog, where it has one), and what is wrong.
document.addEventListener("htmx:after:swap", (event) => {
  const wrong = document.querySelector('form[data-confirm="new"] [aria-invalid]');
  if (!wrong || !startsGame(event.detail.ctx)) return;
  document.getElementById("sure")?.close();
  const sheet = wrong.closest("dialog");
  if (sheet) open(sheet.id);
  wrong.focus();
});

const startsGame = (ctx) => ctx.sourceElement.matches?.('form[data-confirm="new"]');
// A whole page is no part of this one.
document.addEventListener("htmx:before:swap", (event) => {
  const { ctx } = event.detail;
  ctx.isPage = startsGame(ctx) && /^\s*<!doctype/i.test(ctx.text);
  if (ctx.isPage) event.preventDefault();
});
// No answer, a server in trouble, or a page: the browser asks once more, and shows what it gets.
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (startsGame(ctx) && (ctx.isPage || !(ctx.response?.status < 500))) HTMLFormElement.prototype.submit.call(ctx.sourceElement);
});

const isPlate = () => getComputedStyle(document.getElementById("game")).getPropertyValue("--mode").trim() === "port";

function isOutside({ target, clientX, clientY }) {
  const box = target.getBoundingClientRect();
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}

async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: text, className: "vh" });
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  for (const dialog of dialogs()) if (dialog.open) dialog.close();
  toast(done, { quiet: true });
  say(done);
}

async function fetchText(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.text() : "";
  } catch {
    return "";
  }
}

async function share(url, done) {
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    try {
      await navigator.share({ url, title: document.title });
      return;
    } catch (error) {
      if (error.name === "AbortError") return;
    }
  }
  copy(url, done);
}
