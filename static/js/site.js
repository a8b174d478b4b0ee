// The pages beside the table.
import "./dialogs.js";
import "./prefs.js";

document.documentElement.classList.add("ready");

// A row of tabs that is wider than the screen begins at the one that is shown.
for (const tab of document.querySelectorAll(".tabs > [aria-current]")) {
  const [own, row] = [tab, tab.parentElement].map((each) => each.getBoundingClientRect());
  tab.parentElement.scrollBy({ left: own.left + own.width / 2 - row.left - row.width / 2, behavior: "instant" });
}
