// A race as it changes: its standing comes by one stream, whole each time; what the page itself shows is asked for anew.
import { say } from "./say.js";

const race = document.getElementById("race");
const isTable = race.classList.contains("beside");
const address = `/races/${race.dataset.race}`;
const runners = () => document.getElementById("runners");
const WAITS = [500, 1000, 2000, 4000, 8000];

let source = null;
let tries = 0;
let timer = 0;
/** How far this computer's clock is ahead of the server's; what has been on its way for less time knows it better. */
let skew = Date.now() - Number(runners().dataset.now);

const two = (n) => String(n).padStart(2, "0");
function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** What every second changes: the count down, and the time of those who play. */
function tick() {
  const starts = Number(runners().dataset.starts);
  if (!starts) return;
  const now = Date.now() - skew;
  const count = document.getElementById("count-down");
  if (count) {
    const left = Math.ceil((starts - now) / 1000);
    count.textContent = left > 0 ? left : race.dataset.go;
    if (left <= 0) look();
  }
  for (const time of runners().querySelectorAll("[data-runs]")) time.textContent = clock(now - starts);
}

let isLooking = false;
let isAsked = false;
/** The page as it is now: who plays is sent to the table. */
async function look() {
  isAsked = isLooking;
  if (isLooking) return;
  isLooking = true;
  try {
    const answer = await fetch(address, { headers: { accept: "text/html", "hx-current-url": location.href } });
    if (!answer.ok) return;
    if (answer.redirected && new URL(answer.url).pathname !== address) return void location.assign(answer.url);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const after = fresh.getElementById("race");
    if (!after) return;
    if (after.dataset.state === "over" && race.dataset.state !== "over") return void location.reload();
    swap(after);
  } catch {
    // the stream comes back, and with it another look
  } finally {
    setTimeout(() => {
      isLooking = false;
      if (isAsked) look();
    }, 400);
  }
}

/** The room anew, but not what somebody is writing or has opened. */
function swap(after) {
  const focused = document.activeElement;
  const action = focused?.closest("form")?.getAttribute("action");
  const open = [...race.querySelectorAll("details[open] > summary")].map((each) => each.textContent);
  for (const name of ["state", "event", "me"]) race.dataset[name] = after.dataset[name];
  const typed = race.querySelector(".name input[name=name]")?.value;
  race.replaceChildren(...after.childNodes);
  for (const each of race.querySelectorAll("details > summary")) if (open.includes(each.textContent)) each.parentElement.open = true;
  const name = race.querySelector(".name input[name=name]");
  if (name && typed) name.value = typed;
  if (action && !race.contains(document.activeElement)) (focused.id ? document.getElementById(focused.id) : race.querySelector(`form[action="${action}"] button`))?.focus({ preventScroll: true });
  window.htmx?.process(race);
  tick();
}

function show(text) {
  const came = new DOMParser().parseFromString(text, "text/html");
  const fresh = came.getElementById("runners");
  if (!fresh) return;
  skew = Math.min(skew, Date.now() - Number(fresh.dataset.now));
  const before = runners();
  if (Number(fresh.dataset.event) < Number(before.dataset.event)) return;
  document.getElementById("watched").replaceWith(came.getElementById("watched"));
  const states = (list) => [...list.children].map((each) => `${each.dataset.seat} ${each.className.replace(" me", "")}`).sort().join();
  const isSame = fresh.dataset.state === before.dataset.state && states(fresh) === states(before) && fresh.dataset.next === before.dataset.next;
  const wasOf = before.dataset.state;
  for (const each of fresh.children) each.classList.toggle("me", each.dataset.seat === race.dataset.me);
  if (isTable) {
    before.replaceWith(fresh);
    if (!isSame) told(fresh);
    const isGivenUp = fresh.querySelector(".runner.me.ended") && document.getElementById("table").dataset.status === "playing";
    if (isGivenUp) import("./send.js").then(({ refresh }) => refresh()); // on another page of its player's
    if (fresh.dataset.state === "over") leaveFor();
  } else if (wasOf === "running" && fresh.dataset.state === "running") {
    before.replaceWith(fresh);
    if (!isSame) look();
  } else if (fresh.dataset.event !== before.dataset.event || !isSame) look();
}

/** Whoever only hears the table is told when somebody finishes. */
function told(fresh) {
  const last = [...fresh.querySelectorAll(".runner:is(.won, .ended)")].filter((each) => !each.matches(".me"));
  if (last.length) say(last.map((each) => `${each.querySelector(".who bdi").textContent}: ${each.querySelector(".state").textContent.trim()}`).join("; "));
}

/** All is over: the finish, once this table's own end has been seen. */
function leaveFor() {
  setTimeout(() => location.assign(address), 1500);
}

function connect() {
  clearTimeout(timer);
  source?.close();
  source = new EventSource(`${address}/events`);
  source.onopen = () => { tries = 0; };
  source.onmessage = (event) => show(event.data);
  source.addEventListener("bye", () => source.close());
  source.onerror = () => {
    if (source.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
    timer = setTimeout(connect, WAITS[Math.min(tries, WAITS.length - 1)]);
    tries += 1;
  };
}

if (!["over", "closed"].includes(runners().dataset.state)) {
  connect();
  setInterval(tick, 250);
  tick();
  const back = () => { if (source.readyState === EventSource.CLOSED) connect(); };
  addEventListener("online", connect);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) back(); });
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  addEventListener("pagehide", () => source.close());
} else if (race.dataset.state === "over" && !runners().dataset.next) connect(); // for the rematch
