// Settings: effective at once, in a cookie for the next page, and kept by the server.
const root = document.documentElement;
const isElsewhere = (key) => key === "table" || key === "lang" || key === "next";

/** Whether a switch of the settings is on. */
export const isOn = (key) => root.dataset[key] === "on";

export function keepPrefs(form) {
  const chosen = Object.fromEntries(new FormData(form));
  const secure = location.protocol === "https:" ? "; secure" : "";
  const { next, ...kept } = chosen;
  document.cookie = `prefs=${new URLSearchParams(kept)}; path=/; max-age=31536000; samesite=lax${secure}`;
  if (chosen.table === "auto") delete root.dataset.table;
  else root.dataset.table = chosen.table;
  for (const [key, value] of Object.entries(chosen)) if (!isElsewhere(key)) root.dataset[key] = value;
  paintBacks();
  return tell(form);
}

/** The server keeps them too; what it cannot take now the cookie holds. Whether it has answered. */
async function tell(form) {
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { "hx-request": "true" }, keepalive: true });
    await answer.text(); // to its end: the page may leave now
    return answer.ok;
  } catch {
    return false; // offline: the cookie has them
  }
}

/** The page in the language that was chosen; an address that names one itself gives way. */
function translate() {
  const here = new URL(location.href);
  if (!here.searchParams.has("lang")) return location.reload();
  here.searchParams.delete("lang");
  return location.replace(here);
}

/** Backs that were drawn before the choice changed follow it. */
export function paintBacks() {
  const href = `#back-${root.dataset.back}`;
  for (const use of document.querySelectorAll("use[data-back]")) if (use.getAttribute("href") !== href) use.setAttribute("href", href);
}

// Without a connection the browser shows a page of ours instead of its own.
if ("serviceWorker" in navigator && self === top) addEventListener("load", () => navigator.serviceWorker.register("/sw.js").catch(() => {}));

document.addEventListener("change", async (event) => {
  const form = event.target.closest("[data-prefs]");
  if (form && await keepPrefs(form) && event.target.name === "lang") translate();
});
document.addEventListener("submit", (event) => { if (event.target.matches("[data-prefs]")) event.preventDefault(); });
