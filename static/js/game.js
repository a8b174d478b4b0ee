// The game page: everything starts here, and everything that a fresh table needs is done here.
import "./dialogs.js";
import "./heal.js";
import { askAgain } from "./advice.js";
import { board, game, groupOf, isPaused, place, table, topOf } from "./board.js";
import { cover, setClock } from "./clock.js";
import { hasJustTapped, resumeDrag } from "./drag.js";
import { carries, deal, measure, play, shake } from "./flip.js";
import { refocus, rove, unrove } from "./keys.js";
import { paintBacks } from "./prefs.js";
import { say } from "./say.js";
import { sound } from "./sound.js";
import { clear, repaint, tap } from "./select.js";
import { currentJob, send } from "./send.js";
import { makeWells } from "./wells.js";
import { celebrate, settleWin } from "./win.js";

document.documentElement.classList.add("ready");

let hadFocus = false;
let wasPaused = false;
let said = "";
let wasWon = table().dataset.status === "won";

/** What a fresh table needs, whether it came with the page or by a swap. */
function dress() {
  makeWells();
  setClock(wasPaused);
  cover();
  paintBacks();
  settleWin();
  askAgain();
}

dress();
rove();
repaint();
const isFresh = table().dataset.version === "0" && !("hasMoves" in table().dataset);
if (isFresh && !sessionStorage.getItem(game.dataset.game)) {
  sessionStorage.setItem(game.dataset.game, "dealt");
  deal();
}

document.addEventListener("htmx:before:swap", (event) => {
  if (event.defaultPrevented || event.detail.ctx.target?.id !== "table") return;
  hadFocus = board().contains(document.activeElement);
  wasPaused = isPaused() && currentJob() !== null; // a pause that another page has ended is over
  for (const { fragment } of event.detail.tasks) unrove(fragment); // what is equal the morph passes over
  measure();
});

document.addEventListener("htmx:after:swap", (event) => {
  if (event.detail.ctx.target?.id !== "table") return;
  const job = currentJob();
  const wasCarried = [...carries].some((carry) => carry.job && carry.job === job);
  dress();
  play(job);
  repaint();
  resumeDrag();
  restart();
  refused(wasCarried);
  if (hadFocus) refocus(movedCard());
  else rove();
  if (!job?.again || table().dataset.announce !== said) say(table().dataset.announce);
  said = table().dataset.announce;
  const isWon = table().dataset.status === "won";
  if (isWon && !wasWon) {
    celebrate();
    sound("won");
  } else if (table().dataset.last) sound(table().dataset.last.endsWith("-f") ? "up" : "move");
  wasWon = isWon;
});

/** A message and a ring that the morph kept from the answer before begin anew. */
function restart() {
  for (const element of table().querySelectorAll(".toast:not(.stays), .refused, .refused > .face, .hinting .lead, .hinting .target")) {
    for (const animation of element.getAnimations({ subtree: element.matches(".lead, .target") })) {
      animation.currentTime = 0;
      animation.play();
    }
  }
}

function movedCard() {
  const [source, target] = (table().dataset.last ?? "").split("-");
  if (!target || source === "s") return source === "s" ? topOf("w") : null;
  const count = Number(source.split("x")[1] ?? 1);
  if (target !== "f") return [...place(target).querySelectorAll("button.card[data-card]")].at(-count);
  return null;
}

/** A refusal: the group shakes, and a foundation that refused is marked (the server names it only by its suit). */
function refused(wasCarried) {
  const text = table().dataset.refused;
  if (!text) return;
  const [source, target] = text.split("-");
  const [from, count] = source.split("x");
  const lead = [...(place(from)?.querySelectorAll("button.card[data-card]") ?? [])].at(-Number(count ?? 1));
  if (!lead) return;
  sound("refused");
  if (!wasCarried) shake(groupOf(lead));
  if (target === "f") (topOf(`f${lead.dataset.card[1]}`) ?? place(`f${lead.dataset.card[1]}`)?.querySelector(".slot"))?.classList.add("refused");
}

// Buttons of the board are forms' buttons without scripts; here a click (also one by key or by assistive technology) is a tap.
document.addEventListener("click", (event) => {
  const act = event.target.closest("[data-do]");
  if (act) {
    event.preventDefault();
    if (isPaused()) return;
    clear();
    send({ kind: act.dataset.do, fields: act.name ? { [act.name]: act.value } : undefined });
  }
  if (!event.target.closest(".board") || event.target.closest(".more")) return;
  event.preventDefault();
  if (event.detail === 0 || !hasJustTapped()) tap(event.target, { x: event.clientX, y: event.clientY, key: event.detail === 0 });
});
document.addEventListener("contextmenu", (event) => { if (event.target.closest(".board") && event.pointerType !== "mouse") event.preventDefault(); });

