// A passkey that failed says so: the library's scripts tell of it by an event, and otherwise only on the console.

const told = document.getElementById("passkey-failed");

document.addEventListener("allauth.error", (event) => {
  if (!told || !event.detail.tags.includes("webauthn")) return;
  event.preventDefault();
  told.hidden = false;
  told.scrollIntoView({ block: "nearest" });
});
