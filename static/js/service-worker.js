// Shows notifications when no page of ours is open, and a page of its own when the service cannot be reached.
// It keeps that one page with its style sheets, which know nothing of anybody, and no page of a match or a person.
const SHELF = "offline";
const PAGE = "/offline/";

/** Fetch the page anew, as a visitor gets it, with what it is drawn with. */
async function stock() {
  const shelf = await caches.open(SHELF);
  const page = await fetch(PAGE, { credentials: "omit", cache: "reload" });
  if (!page.ok) return;
  const sheets = [...(await page.clone().text()).matchAll(/rel="stylesheet" href="([^"]+)"/g)].map((found) => found[1]);
  for (const old of await shelf.keys()) await shelf.delete(old);
  await shelf.put(PAGE, page);
  await shelf.addAll(sheets);
}

const kept = async (request) => (await caches.match(request)) ?? Response.error();

self.addEventListener("install", (event) => {
  self.skipWaiting();
  // A page that cannot be had now is no reason to show no notifications.
  event.waitUntil(stock().catch(() => {}));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  // Only what failed is answered from the shelf: whoever reaches the service always sees its own answer.
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => kept(PAGE)));
  else if (request.destination === "style") event.respondWith(fetch(request).catch(() => kept(request)));
});

self.addEventListener("push", (event) => {
  const { title, body, link, tag, waiting } = event.data.json();
  // What takes the place of an older notification of its match is heard as well.
  const options = { body, tag, renotify: true, data: { link } };
  const shown = self.registration.showNotification(title, options);
  if ("setAppBadge" in navigator) navigator.setAppBadge(waiting).catch(() => {});
  event.waitUntil(shown);
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { link } = event.notification.data;
  const open = async () => {
    const pages = await self.clients.matchAll({ type: "window" });
    const page = pages.find((one) => one.url === link);
    return page ? page.focus() : self.clients.openWindow(link);
  };
  event.waitUntil(open());
});
