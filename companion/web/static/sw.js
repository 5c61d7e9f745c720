// So that the page can stand on a home screen. Nothing of the table is ever kept: without it there is only a page that
// says so, and waits.

const KEPT = "olympus-waiting";
const WAITING = ["waiting.html", "waiting.js", "style.css", "icon.svg"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(WAITING)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

// From the table if it can be reached, and what is kept renewed by the way.
async function fresh(request, kept) {
  try {
    const answer = await fetch(request);
    if (kept && answer.ok) await (await caches.open(KEPT)).put(kept, answer.clone());
    return answer;
  } catch (error) {
    const answer = await caches.match(kept ?? "waiting.html");
    if (answer) return answer;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  const name = pathname.slice(1);
  if (WAITING.includes(name)) event.respondWith(fresh(request, name));
  else if (request.mode === "navigate") event.respondWith(fresh(request, null));
});
