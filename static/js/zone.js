// Tells the form of sign-up by which clocks its reader lives; without it, the preferences ask.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const input of document.querySelectorAll("input[data-zone]")) input.value = zone ?? "";
