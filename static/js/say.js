// Words for everyone: the polite live region, and short messages over the table.
const host = document.getElementById("game") ?? document.body;
const region = document.getElementById("say");
const template = document.getElementById("t-toast");
let shown = null;
let again = false;

/** Let the live region say a sentence; the same sentence twice is said twice. */
export function say(text) {
  if (!text || !region) return;
  again = !again;
  region.textContent = text + (again ? "\u00a0" : "");
}

/** Show a message; `stays` until hush() or the next one, else it leaves by itself. */
export function toast(text, { stays = false, icon = "check", quiet = false } = {}) {
  hush();
  for (const other of document.querySelectorAll("#table > .toast:not(.stays)")) other.remove();
  shown = template.content.firstElementChild.cloneNode(true);
  shown.querySelector("[data-text]").textContent = text;
  shown.querySelector("use").setAttribute("href", `#i-${icon}`);
  shown.classList.toggle("refused-toast", icon === "no");
  if (stays) shown.classList.add("stays");
  else shown.addEventListener("animationend", (event) => event.target.remove());
  host.append(shown);
  if (!quiet) say(text);
}

export function hush() {
  shown?.remove();
  shown = null;
}
