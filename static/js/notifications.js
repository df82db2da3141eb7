// Adds this browser to the devices that show notifications, where it can.
const form = document.querySelector("[data-push]");

const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));

const name = () => {
  const agent = navigator.userAgent;
  const find = (...names) => names.find((one) => agent.includes(one)) ?? "";
  const browser = find("Firefox", "Edg", "OPR", "Chrome", "Safari").replace("Edg", "Edge").replace("OPR", "Opera");
  const system = find("Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux");
  return [browser || "Browser", system].filter(Boolean).join(", ");
};

async function subscribe() {
  const worker = await navigator.serviceWorker.register(form.dataset.worker, { scope: "/" });
  await navigator.serviceWorker.ready;
  const key = bytes(form.dataset.push);
  const old = await worker.pushManager.getSubscription();
  await old?.unsubscribe();
  return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

if (form && "serviceWorker" in navigator && "PushManager" in window) {
  document.querySelector("[data-without]").hidden = true;
  form.hidden = false;
  form.querySelector("button").addEventListener("click", async () => {
    try {
      if ((await Notification.requestPermission()) !== "granted") throw new Error("refused");
      const { endpoint, keys } = (await subscribe()).toJSON();
      const fields = { endpoint, p256dh: keys.p256dh, auth: keys.auth, name: name() };
      for (const [field, value] of Object.entries(fields)) form.elements[field].value = value;
      form.submit();
    } catch {
      form.querySelector("[data-refused]").hidden = false;
    }
  });
}
