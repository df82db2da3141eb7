// The live board of a front page: asks from time to time for the newest board of a match, less and less often, only while somebody looks.

const FIRST_MS = 10_000;
const LONGEST_MS = 300_000;
const GROWTH = 1.4;
const figure = document.getElementById("live-board");
let pause = FIRST_MS;
let timer = 0;
let version = "";
let over = false;

function show({ page, image, width, height, names, state }) {
  if (!page) return; // The last board stays.
  const picture = figure.querySelector("img");
  Object.assign(picture, { src: image, width, height, alt: names });
  figure.querySelector("a").href = page;
  figure.querySelector(".names").textContent = names;
  figure.querySelector(".state").textContent = state;
}

async function ask() {
  clearTimeout(timer);
  try {
    const headers = version ? { "If-None-Match": version } : {};
    const answer = await fetch(figure.dataset.address, { headers, cache: "no-store" });
    if (answer.status === 200) {
      // The first answer is about the board that the page already shows.
      if (version) pause = FIRST_MS / GROWTH;
      version = answer.headers.get("ETag") ?? "";
      show(await answer.json());
    } else if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) over = true;
  } catch {
    // Offline, or the service is being restarted: the next question comes later.
  }
  pause = Math.min(pause * GROWTH, LONGEST_MS);
  plan();
}

function plan() {
  clearTimeout(timer);
  if (!over && !document.hidden) timer = setTimeout(ask, pause);
}

if (figure) {
  document.addEventListener("visibilitychange", () => {
    pause = FIRST_MS;
    if (document.hidden || over) clearTimeout(timer);
    else ask();
  });
  ask();
}
