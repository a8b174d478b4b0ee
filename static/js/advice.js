// What the solver is asked: hints, whether the game can still be won, the way back, and playing the game out.
import { game, isPlaying, legal, table, words } from "./board.js";
import { isOpen, open } from "./dialogs.js";
import { toast } from "./say.js";
import { clear } from "./select.js";
import { forget, send } from "./send.js";

const AGAIN_MS = 400;
const HOME_MS = 70;
const consent = (what) => `${what}:${game.dataset.game}`;
const asks = (kind) => (kind === "verdict" ? "verdict" : "hint");
const mayAsk = () => !("watch" in table().dataset) && ["playing", "stuck"].includes(table().dataset.status);

/** Ask for a hint or a verdict; before the first one of a game its player is told what it knows, and chooses the hint. */
export function ask(what) {
  if (!mayAsk()) return;
  if ("raced" in game.dataset) return toast(words.unhinted, { icon: "no" });
  const chosen = sessionStorage.getItem(consent(what));
  if (chosen) put(chosen);
  else open(`consent-${what}`);
}

function put(kind) {
  clear();
  send({ kind });
}

/** A fresh table: an answer that is still being worked out is asked for again, on the same version. */
export function askAgain() {
  const asking = table().dataset.asking;
  if (!asking) return;
  const [kind, version] = asking.split(" ");
  const seen = table().dataset.version;
  const isSame = () => table().dataset.asking === asking && table().dataset.version === seen;
  setTimeout(() => { if (isSame()) send({ kind, version, again: true, unless: () => !isSame() }); }, AGAIN_MS);
}

let isFinishing = false;

/** Play the moves that win from here one by one; any input stops it. */
async function playOut(moves) {
  if (isFinishing) return;
  isFinishing = true;
  game.classList.add("finishing");
  const stop = () => { isFinishing = false; forget(); };
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, stop, { once: true, capture: true });
  for (const text of moves) {
    await send({ kind: "move", brisk: true, move: () => (isFinishing && isPlaying() && legal().has(text) ? text : null) });
    if (!isFinishing) break;
    await new Promise((done) => { setTimeout(done, HOME_MS); });
  }
  for (const type of ["pointerdown", "keydown"]) removeEventListener(type, stop, { capture: true });
  game.classList.remove("finishing");
  isFinishing = false;
}

document.addEventListener("click", (event) => {
  const asked = event.target.closest("[data-ask]");
  const agreed = event.target.closest("[data-consent]");
  const finish = event.target.closest("[data-finish]");
  if (asked) {
    event.preventDefault();
    if (!asked.disabled) ask(asked.dataset.ask);
  } else if (agreed) {
    event.preventDefault();
    if (!mayAsk()) return;
    sessionStorage.setItem(consent(asks(agreed.dataset.consent)), agreed.dataset.consent);
    put(agreed.dataset.consent);
  } else if (finish) {
    event.preventDefault();
    clear();
    playOut(finish.dataset.finish.split(" "));
  } else if (event.target.closest("[data-dismiss]")) {
    event.target.closest(".notice").remove();
    if (!isOpen()) table().querySelector(".menu").focus({ preventScroll: true });
  }
});
