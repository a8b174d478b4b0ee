// Without a connection: one honest page. Nothing of a game is kept here; the server owns it.
const SHELF = "offline-2";
const OFFLINE = "/offline";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELF).then(async (shelf) => {
    const page = await fetch(OFFLINE, { cache: "reload" });
    const text = await page.clone().text();
    const parts = [...text.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map((match) => match[1]);
    await shelf.put(OFFLINE, page);
    await shelf.addAll([...new Set(parts)]);
  }));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== SHELF).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  else if (new URL(request.url).pathname.startsWith("/static/")) event.respondWith(fetch(request).catch(async () => (await caches.match(request)) ?? Response.error()));
});
