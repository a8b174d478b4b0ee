// Table, suit colours and card back: kept in a cookie that the server reads, effective at once.
const root = document.documentElement;

export function keepPrefs(form) {
  const chosen = new URLSearchParams(new FormData(form)).toString();
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `prefs=${chosen}; path=/; max-age=31536000; samesite=lax${secure}`;
  const { table, deck, back } = Object.fromEntries(new FormData(form));
  if (table === "auto") delete root.dataset.table;
  else root.dataset.table = table;
  Object.assign(root.dataset, { deck, back });
  paintBacks();
}

/** Backs that were drawn before the choice changed follow it. */
export function paintBacks() {
  const href = `#back-${root.dataset.back}`;
  for (const use of document.querySelectorAll("use[data-back]")) if (use.getAttribute("href") !== href) use.setAttribute("href", href);
}

document.addEventListener("change", (event) => {
  const form = event.target.closest("[data-prefs]");
  if (form) keepPrefs(form);
});
document.addEventListener("submit", (event) => { if (event.target.matches("[data-prefs]")) event.preventDefault(); });
