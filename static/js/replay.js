// Leafing through a match: Home, ←, → and End follow the links of the replay bar.

const LINKS = { Home: "first", ArrowLeft: "prev", ArrowRight: "next", End: "last" };

document.addEventListener("keydown", (event) => {
  const busy = event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
  if (busy || !(event.key in LINKS) || event.target.closest("table.board, input, select, textarea")) return;
  const link = document.querySelector(`.replay a[rel="${LINKS[event.key]}"][href]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});
