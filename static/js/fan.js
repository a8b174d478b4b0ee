// All face-up cards of a pile, spread in two columns over the table; a tap on one picks it.
import { cardsIn, identify, locate, words } from "./board.js";
import { show } from "./dialogs.js";
import { select } from "./select.js";

const dialog = document.getElementById("fan");
const px = (style, name) => Number.parseFloat(style.getPropertyValue(name));

/** Whether a pile's cards lie closer together than they would like to. */
export function isSqueezed(pile) {
  const style = getComputedStyle(pile);
  return pile.classList.contains("well") || px(style, "--up") < px(style, "--up0") - 1;
}

/** Open the fan of a pile; false when it has nothing to spread. */
export function openFan(pile) {
  const items = [...pile.querySelectorAll(":scope > li:not(.downs)")];
  if (items.length < 2 || dialog.open) return false;
  const half = Math.ceil(items.length / 2);
  const columns = document.createElement("div");
  columns.className = "columns";
  columns.dir = "ltr"; // as the board
  for (const part of [items.slice(0, half), items.slice(half)]) {
    const list = document.createElement("ol");
    for (const item of part) {
      const copy = item.cloneNode(true);
      const button = copy.querySelector("button");
      button.className = "card";
      button.type = "button";
      button.removeAttribute("tabindex");
      list.append(copy);
    }
    columns.append(list);
  }
  dialog.replaceChildren(columns);
  const cards = cardsIn(pile).map(identify);
  [...columns.querySelectorAll("button")].forEach((button, index) => button.addEventListener("click", () => {
    dialog.close();
    const card = locate(cards[index]);
    if (!card) return;
    select(card, { aloud: true });
    card.scrollIntoView({ block: "nearest" });
    card.focus({ preventScroll: true });
  }));
  show(dialog);
  columns.querySelector("ol:last-child li:last-child button")?.focus();
  return true;
}

dialog.addEventListener("click", (event) => { if (event.target === dialog || event.target.matches(".columns, ol")) dialog.close(); });
export const fanLabel = (count) => words.all.replace("%s", count);
