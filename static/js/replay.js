// A replay: steps come from the server as its pages show them; here they are played, animated and kept.
import { isOpen, open } from "./dialogs.js";
import "./prefs.js";
import { board, table, words } from "./board.js";
import { measure, play } from "./flip.js";
import { paintBacks } from "./prefs.js";
import { say, toast } from "./say.js";

document.documentElement.classList.add("ready");

const address = location.pathname;
const last = Number(table().dataset.last);
const playing = document.getElementById("r-play");
const speed = document.getElementById("r-speed");
const pages = new Map();
let at = Number(table().dataset.at);
let wanted = at;
let timer = 0;

const within = (step) => Math.max(0, Math.min(last, step));

/** A step's page, asked for once. */
function fetched(step) {
  if (!pages.has(step)) {
    const page = fetch(`${address}?at=${step}`, { headers: { "hx-request": "true", "hx-current-url": location.href } }).then((answer) => {
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.text();
    });
    page.catch(() => pages.delete(step));
    pages.set(step, page);
  }
  return pages.get(step);
}

async function show(step, { brisk = false, quiet = false } = {}) {
  wanted = within(step);
  let text;
  try {
    text = await fetched(wanted);
  } catch {
    stop();
    toast(words.offline);
    return;
  }
  if (within(step) !== wanted || wanted === at) return; // another step has been asked for since
  const isBack = wanted < at;
  const fresh = document.createElement("template");
  fresh.innerHTML = text;
  measure();
  table().replaceWith(fresh.content.getElementById("table"));
  for (const each of fresh.content.querySelectorAll("[data-live]")) renew(document.getElementById(each.id), each);
  at = wanted;
  dress();
  play({ kind: isBack ? "undo" : "move", brisk });
  history.replaceState(null, "", `${address}?at=${at}`);
  const share = document.getElementById("r-share"); // not in a frame on another site
  if (share) share.dataset.share = `${address}?at=${at}`;
  const from = document.getElementById("r-from");
  if (from) from.value = at;
  if (!quiet) say(document.getElementById("r-said").textContent.replace(/\s+/g, " ").trim());
  for (const near of [at + 1, at - 1]) if (near === within(near)) fetched(near).catch(() => {});
}

/** The element stays, with its focus; what it says is the new one's. */
function renew(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) old.setAttribute(name, value);
  if (old.matches("input")) old.value = fresh.getAttribute("value");
  else old.innerHTML = fresh.innerHTML;
}

/** The board is looked at, not played: its cards are no stops of the Tab key. */
function dress() {
  for (const button of board().querySelectorAll("button")) button.tabIndex = -1;
  for (const pile of board().querySelectorAll(".pile")) {
    const isLong = pile.scrollHeight > pile.clientHeight + 1;
    pile.classList.toggle("well", isLong);
    if (isLong) pile.scrollTop = pile.scrollHeight;
  }
  paintBacks();
}

const isPlaying = () => playing.getAttribute("aria-pressed") === "true";

function stop() {
  clearTimeout(timer);
  playing.setAttribute("aria-pressed", "false");
}

async function run() {
  const pace = Number(speed.value);
  await show(at + 1, { brisk: pace > 2, quiet: true });
  if (!isPlaying()) return;
  if (at === last) stop();
  else timer = setTimeout(run, 1000 / pace);
}

async function toggle() {
  if (isPlaying()) {
    stop();
    return;
  }
  playing.setAttribute("aria-pressed", "true");
  if (at === last) await show(0, { quiet: true });
  if (isPlaying()) timer = setTimeout(run, at === 0 ? 300 : 0);
}

function goTo(step) {
  stop();
  show(step);
}

function faster(by) {
  speed.selectedIndex = Math.max(0, Math.min(speed.options.length - 1, speed.selectedIndex + by));
  say(speed.selectedOptions[0].textContent);
}

dress();
if (at < last) fetched(at + 1).catch(() => {});

playing.addEventListener("click", toggle);
document.getElementById("r-at").addEventListener("input", (event) => goTo(Number(event.target.value)));
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-to]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  goTo(Number(link.dataset.to));
});
document.addEventListener("submit", (event) => { if (event.target.matches(".reel")) event.preventDefault(); });

const forward = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
const keys = {
  ArrowRight: () => goTo(wanted + (forward === "ArrowRight" ? 1 : -1)),
  ArrowLeft: () => goTo(wanted + (forward === "ArrowLeft" ? 1 : -1)),
  Home: () => goTo(0),
  End: () => goTo(last),
  " ": toggle,
  "+": () => faster(1),
  "-": () => faster(-1),
  m: () => open("menu"),
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isOpen() || event.target.matches("input, select")) return;
  if (event.key === " " && event.target.closest("a, button")) return;
  const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
