// A passkey that failed says so: the library's scripts report it by an event, and otherwise only on the console.

const message = document.getElementById("passkey-failed");

document.addEventListener("allauth.error", (event) => {
  if (!message || !event.detail.tags.includes("webauthn")) return;
  event.preventDefault();
  message.hidden = false;
  message.scrollIntoView({ block: "nearest" });
});
