// Shows notifications when no page of ours is open, and a page of its own when the service cannot be reached.
// It keeps that one page with its style sheets, which hold nothing about anybody, and no page of a match or a person.
// When the browser's push subscription changes, it tells the service.
const SHELF = "offline";
const PAGE = "/offline/";
// Where this browser's push subscription is remembered, to tell the service when it has become another one.
const SUBSCRIPTION = "subscription";
const REMEMBERED = "/subscription";
const RENEWAL = "/notifications/devices/renew/";

/** Fetch the page again, as a visitor gets it, with what it is drawn with. */
async function stock() {
  const shelf = await caches.open(SHELF);
  const page = await fetch(PAGE, { credentials: "omit", cache: "reload" });
  if (!page.ok) return;
  const sheets = [...(await page.clone().text()).matchAll(/rel="stylesheet" href="([^"]+)"/g)].map((match) => match[1]);
  for (const old of await shelf.keys()) await shelf.delete(old);
  await shelf.put(PAGE, page);
  await shelf.addAll(sheets);
}

const kept = async (request) => (await caches.match(request)) ?? Response.error();

const remembered = async () => (await (await caches.open(SUBSCRIPTION)).match(REMEMBERED))?.json();

/** What is needed to subscribe again, and to tell the service which subscription it takes the place of. */
async function remember({ endpoint, options }) {
  const key = [...new Uint8Array(options?.applicationServerKey ?? [])];
  await (await caches.open(SUBSCRIPTION)).put(REMEMBERED, new Response(JSON.stringify({ endpoint, key })));
}

/** Tell the service if a subscription has taken the place of the one with the address `old`. */
async function renew(subscription, old) {
  if (!subscription || subscription.endpoint === old) return;
  if (old) {
    const { endpoint, keys } = subscription.toJSON();
    const body = new URLSearchParams({ old, endpoint, p256dh: keys.p256dh, auth: keys.auth });
    const answer = await fetch(RENEWAL, { method: "POST", body });
    // Signed out, or the service is away: the next page tries again.
    if (answer.status === 401 || answer.status >= 500) return;
  }
  await remember(subscription);
}

/** Some browsers change a subscription without an event, or while the service is away. */
async function compare() {
  const subscription = await self.registration.pushManager?.getSubscription();
  await renew(subscription, (await remembered())?.endpoint);
}

/** The subscription after the old one has ended. Not every browser says which one that was. */
async function subscribed(event, known) {
  const present = event.newSubscription ?? (await self.registration.pushManager.getSubscription());
  if (present) return present;
  const key = event.oldSubscription?.options.applicationServerKey ?? (known && Uint8Array.from(known.key));
  return key ? self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }) : null;
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  // A page that cannot be fetched now is no reason to show no notifications.
  event.waitUntil(stock().catch(() => {}));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  // Only what failed is answered from the shelf: anybody who reaches the service always sees its own answer.
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.waitUntil(compare().catch(() => {}));
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

self.addEventListener("pushsubscriptionchange", (event) => {
  const again = async () => {
    const known = await remembered();
    await renew(await subscribed(event, known), event.oldSubscription?.endpoint ?? known?.endpoint);
  };
  event.waitUntil(again());
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { link } = event.notification.data;
  const path = (address) => new URL(address).pathname;
  const open = async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const page = pages.find((one) => path(one.url) === path(link));
    if (!page) return self.clients.openWindow(link);
    await page.focus().catch(() => {});
    // It was loaded before what the notification tells. Pages that another worker controls cannot be reloaded.
    return page.navigate(link).catch(() => self.clients.openWindow(link));
  };
  event.waitUntil(open());
});
