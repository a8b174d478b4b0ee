// The pages beside the table.
import "./dialogs.js";
import "./prefs.js";

document.documentElement.classList.add("ready");
