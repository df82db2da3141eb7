// The live line of a match page: says that the match has changed since the page was loaded.
// It asks less and less often, only while somebody looks at the page, and until there is something to say.
// A house opponent mostly answers within a second, so it is asked for five times a second at first; its answer
// is shown at once, unless the reader is looking back or has typed something.

const LONGEST_MS = 300_000;
const GROWTH = 1.4;
const STEADY_MS = 2_000;
const line = document.getElementById("live");
const FIRST_MS = line && "soon" in line.dataset ? 200 : 10_000;
let pause = FIRST_MS;
let timer = 0;
let over = false; // it has said so, or the match is not to be asked for any more

/** What waits for the reader: on the icon of the installed app, and before the title. */
function count(waiting) {
  if ("setAppBadge" in navigator) (waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge()).catch(() => {});
  document.title = (waiting ? `(${waiting}) ` : "") + document.title.replace(/^\(\d+\) /, "");
}

/** Whether the reader is in the middle of something that another page would take away. */
function isBusy() {
  const typed = [...document.querySelectorAll("main :is(input, textarea)")].some((field) => field.value !== field.defaultValue);
  return typed || document.querySelector(".past") || [...document.querySelectorAll("#dossier option")].some((option) => option.selected !== option.defaultSelected && option.value);
}

function tell({ sentence, waiting }) {
  over = true;
  if ("soon" in line.dataset && !isBusy()) return location.replace(line.querySelector("a").href);
  line.querySelector(".sentence").textContent = sentence;
  line.querySelector("p").hidden = false;
  if ("waiting" in line.dataset) count(waiting);
}

async function ask() {
  clearTimeout(timer);
  try {
    const headers = { "If-None-Match": `"${line.dataset.version}"` };
    const answer = await fetch(line.dataset.address, { headers, cache: "no-store" });
    if (answer.status === 200) tell(await answer.json());
    // Too many questions may be answered later; a match that is gone, or closed to us, never.
    else if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) over = true;
  } catch {
    // Offline, or the service is being restarted: the next question comes later.
  }
  if (performance.now() > STEADY_MS) pause = Math.min(pause * GROWTH, LONGEST_MS);
  plan();
}

function plan() {
  clearTimeout(timer);
  if (!over && !document.hidden) timer = setTimeout(ask, pause);
}

if (line) {
  if ("waiting" in line.dataset) count(Number(line.dataset.waiting));
  line.querySelector("button").addEventListener("click", () => { line.querySelector("p").hidden = true; });
  document.addEventListener("visibilitychange", () => {
    pause = FIRST_MS;
    if (document.hidden || over) clearTimeout(timer);
    else ask();
  });
  plan();
}
