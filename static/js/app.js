// Makes the site installable: its service worker keeps the page that is shown without a connection.
const script = document.querySelector("script[data-worker]");

if ("serviceWorker" in navigator && script) {
  // After the page is there, and quietly: some browsers forbid it in private windows.
  addEventListener("load", () => navigator.serviceWorker.register(script.dataset.worker, { scope: "/" }).catch(() => {}));
}
