// A replay in place: shows the ply that is wanted as soon as its block is there, and fetches the next block early.

import { fetchPly, frame, has } from "./blocks.js";
import { paint, restore } from "./stage.js";

const STEADY_MS = 200; // between steps, for a piece to be seen moving
const SPOKEN_MS = 600; // after the last step, until the position is read aloud
const WRITTEN_MS = 300; // until it is in the address; browsers refuse to write it with every step

const player = document.getElementById("player");
const { dataset } = player;
const slider = player.querySelector("input");
const last = Number(slider.max);
const voice = player.querySelector('[role="status"]');

let wanted = Number(slider.defaultValue);
let painted = wanted; // by the server, at first
let leaps = 0; // how many were asked for; so many have been drawn:
let drawn = 0;
let stepped = 0; // when
let [frames, speaking, writing] = [0, 0, 0];

export const isShown = (ply) => painted === ply;

/** Show a ply; `leapt` counts how often the reader went elsewhere than one ply on or back. */
export function show(ply, leapt) {
  const onward = ply < wanted ? -1 : 1;
  [wanted, leaps] = [ply, leapt];
  if (wanted === last && dataset.newest === "load") return leave();
  if (has(wanted)) draw();
  else fetchPly(wanted, dataset).then(draw, () => has(wanted) || leave());
  const next = wanted + onward * Number(dataset.block);
  if (next >= 0 && next - (next % Number(dataset.block)) <= last) fetchPly(next, dataset).catch(() => {});
}

/** At most once with every frame of the screen. */
function draw() {
  if (!frames) frames = requestAnimationFrame(drawNext);
}

function drawNext() {
  frames = 0;
  if (painted === wanted || !has(wanted)) return;
  // What was stepped over while a block was on its way is seen as well, a ply with every frame.
  const next = painted + Math.sign(wanted - painted);
  const ply = leaps === drawn && has(next) ? next : wanted;
  drawn = leaps;
  const { parts } = frame(ply);
  const moves = painted === ply - 1 && performance.now() - stepped > STEADY_MS;
  stepped = performance.now();
  painted = ply;
  paint(ply, last, frame(ply), moves);
  if (ply === last && dataset.newest === "restore") restore();
  if (ply !== wanted) draw();
  slider.setAttribute("aria-valuetext", parts.at);
  clearTimeout(speaking);
  // The slider speaks for itself while it has the focus.
  if (document.activeElement !== slider) speaking = setTimeout(() => (voice.textContent = `${parts.at}. ${parts.said}`), SPOKEN_MS);
  clearTimeout(writing);
  writing = setTimeout(write, WRITTEN_MS);
}

function address() {
  const to = new URL(location.href);
  to.searchParams.delete("move");
  if (wanted === last && dataset.newest !== "paint") to.searchParams.delete("ply");
  else to.searchParams.set("ply", wanted);
  return to;
}

function write() {
  clearTimeout(writing);
  if (painted === wanted) history.replaceState(history.state, "", address());
}

/** The page of that ply, as without this script: the connection, or the right to see it, may be gone. */
function leave() {
  location.assign(address());
}

/** Battles as strokes along the slider. */
async function markBattles() {
  const answer = await fetch(new URL(dataset.battles, document.baseURI));
  if (!answer.ok) return;
  const battles = (await answer.json()).filter((ply) => ply <= last);
  const strokes = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  strokes.setAttribute("viewBox", `0 0 ${last} 1`);
  strokes.setAttribute("preserveAspectRatio", "none");
  strokes.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", battles.map((ply) => `M${ply} 0v1`).join(""));
  strokes.append(path);
  slider.after(strokes);
}

addEventListener("pagehide", () => writing && write());
markBattles().catch(() => {});
