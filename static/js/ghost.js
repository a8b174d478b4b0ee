// A ghost: how a finished game went, beside the table of who plays its deal now, by this table's clock.
import { isPlaying, table } from "./board.js";
import { now } from "./clock.js";
import { say } from "./say.js";

const beside = document.getElementById("race");
const runners = () => document.getElementById("runners");
const row = (seat) => runners().querySelector(`[data-seat="${seat}"]`);
const ends = Number(beside.dataset.ends);
const marks = beside.dataset.ghost.split(";").filter(Boolean).map((text) => {
  const [at, cards, ...moves] = text.split(",");
  return { at: Number(at), cards: Number(cards), moves: moves.join(",") };
});

const two = (n) => String(n).padStart(2, "0");
function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

const setText = (element, text) => { if (element.textContent !== text) element.textContent = text; };

function draw(seat, { cards, moves }, ms) {
  const runner = row(seat);
  runner.querySelector("progress").value = cards;
  setText(runner.querySelector(".cards b"), String(cards));
  const detail = runner.querySelector(".detail");
  setText(detail.querySelector("bdi"), clock(ms));
  if (detail.firstChild.data.trim() !== `${moves} ·`) detail.firstChild.data = `${moves} · `;
  return cards;
}

/** The last mark that has been passed; before this table's first move nothing runs. */
function passed(ms) {
  if (!("hasMoves" in table().dataset)) return marks[0];
  return marks.findLast((mark) => mark.at <= ms) ?? marks[0];
}

/** What only the server says: who has finished, and in which place. */
let shown = beside.dataset.state === "over" ? "over" : runners().querySelector(".runner.me ~ .runner.won, .runner.won, .runner.ended") ? "ended" : "";
let isLooking = false;
async function look(as) {
  if (shown === as || isLooking) return;
  isLooking = true;
  try {
    const answer = await fetch(`/games/${beside.dataset.race}/ghost`);
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("runners");
    if (as === "ended" && fresh.querySelectorAll(".runner.racing").length > 1) return; // a moment too early: asked again
    runners().replaceWith(document.adoptNode(fresh));
    shown = as;
    const ghost = row(2);
    say(`${ghost.querySelector(".who bdi").textContent}: ${ghost.querySelector(".state").textContent.trim()}`);
  } catch {
    // asked again at the next tick
  } finally {
    setTimeout(() => { isLooking = false; }, 1000);
  }
}

function tick() {
  if (!isPlaying()) return void (table().dataset.status !== "stuck" && look("over"));
  const ms = now();
  const moves = document.querySelector(".stat.moves dd").textContent.replace(/\s+/g, " ").trim();
  const mine = draw(1, { cards: Number(table().dataset.home), moves }, ms);
  if (ms >= ends && "hasMoves" in table().dataset) look("ended");
  if (shown) return;
  const ghost = draw(2, passed(ms), ms);
  const first = row(ghost > mine ? 2 : 1);
  if (runners().firstElementChild !== first) runners().prepend(first);
}

setInterval(tick, 250);
tick();
