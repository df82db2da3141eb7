// Shows notices when no page of ours is open. It keeps no page and answers no request.
self.addEventListener("push", (event) => {
  const { title, body, link, tag, waiting } = event.data.json();
  // What takes the place of an older notice of its match is heard as well.
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
