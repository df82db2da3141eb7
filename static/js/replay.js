// Leafing through a match: keys, links, slider and play button say which ply is wanted; player.js shows it in place.
// Nobody waits for a page or a block: what is pressed meanwhile counts, and player.js is fetched once it is needed.

const player = document.getElementById("player");
const slider = player?.querySelector("input");
const last = Number(slider?.max ?? 0);
const KEYS = { Home: () => 0, ArrowLeft: () => wanted - 1, ArrowRight: () => wanted + 1, End: () => last };

let wanted = Number(slider?.defaultValue ?? 0);
let leaps = 0; // how often it was not the next ply or the one before
let [shown, loading] = [null, null]; // player.js, once it is there; the promise of it
let timer = 0;

function go(ply) {
  const before = wanted;
  wanted = Math.min(Math.max(ply, 0), last);
  slider.value = wanted;
  if (Math.abs(wanted - before) > 1) leaps += 1;
  if (shown) shown.show(wanted, leaps);
  else if (wanted !== before) loading ??= import("./player.js").then((module) => (shown = module).show(wanted, leaps));
}

/** The ply that a link of this page leads to, or -1 if it leads elsewhere. */
function plyOf(link) {
  const to = new URL(link.href);
  return to.pathname === location.pathname ? Number(to.searchParams.get("ply") ?? -1) : -1;
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  const button = player.querySelector("button");
  button.textContent = button.dataset.play ?? button.textContent;
}

function play() {
  const button = player.querySelector("button");
  button.dataset.play ??= button.textContent;
  button.textContent = button.dataset.pause;
  go(wanted === last ? 0 : wanted + 1);
  const next = () => {
    // A ply that has not come yet is waited for, so that none is passed over.
    if (!shown || shown.isShown(wanted)) go(wanted + 1);
    timer = wanted < last ? setTimeout(next, Number(player.querySelector("select").value)) : stop();
  };
  timer = setTimeout(next, Number(player.querySelector("select").value));
}

if (player) {
  document.addEventListener("keydown", (event) => {
    const busy = event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
    if (busy || !(event.key in KEYS) || event.target.closest("table[role=grid], input, select, textarea")) return;
    event.preventDefault();
    stop();
    go(KEYS[event.key]());
  });
  document.addEventListener("click", (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest(".replay a[href], .moves a[href], .state .back a");
    if (!link) return;
    const ply = link.closest(".back") ? last : plyOf(link);
    if (ply < 0 || ply > last) return;
    event.preventDefault();
    stop();
    go(ply);
  });
  slider.addEventListener("input", () => {
    stop();
    go(Number(slider.value));
  });
  player.querySelector("button").addEventListener("click", () => (timer ? stop() : play()));
}
