// Tooltips on the board: what a piece is and what its attacks lead to, on keyboard focus, long press and hover.
// The words are those that the page has already: the piece's name for the ear, and its line of the legend.

import { squareAt } from "./grid.js";

const DELAY_MS = 500; // of a press or of a pointer that rests
const TREMBLE_PX = 8;
// Not the board itself: another may take its place while a reader looks back.
const frame = document.querySelector(".in-view .board-frame");
const tip = document.createElement("p");
tip.className = "tip";
tip.setAttribute("role", "tooltip");
tip.hidden = true;

let timer = 0;
let from = null; // where the finger or the pointer came down

function words(cell) {
  const piece = cell?.querySelector(".piece:not(.drafted)");
  if (!piece) return "";
  const letter = piece.matches(".hidden, .bone") ? "" : piece.querySelector("b")?.textContent ?? "";
  const lines = [...document.querySelectorAll(".legend [data-letter]")];
  const meaning = lines.find((line) => letter && line.dataset.letter.toUpperCase() === letter.toUpperCase())?.querySelector("dd")?.textContent;
  return [piece.getAttribute("aria-label"), meaning].filter(Boolean).join(": ");
}

function show(cell) {
  const text = words(cell);
  if (!text) return hide();
  tip.textContent = text;
  tip.hidden = false;
  const [square, around] = [cell.getBoundingClientRect(), tip.offsetParent.getBoundingClientRect()];
  const left = Math.min(square.left - around.left, around.width - tip.offsetWidth);
  const above = square.top - around.top - tip.offsetHeight - 4;
  tip.style.insetInlineStart = `${Math.max(0, left)}px`;
  tip.style.insetBlockStart = `${above < 0 ? square.bottom - around.top + 4 : above}px`;
}

function hide() {
  clearTimeout(timer);
  tip.hidden = true;
}

function wait(event) {
  hide();
  from = event;
  const cell = squareAt(event.target);
  if (cell) timer = setTimeout(() => show(cell), DELAY_MS);
}

if (frame) {
  frame.append(tip);
  frame.addEventListener("pointerover", (event) => event.pointerType === "mouse" && wait(event));
  frame.addEventListener("pointerleave", hide);
  frame.addEventListener("pointerdown", (event) => (event.pointerType === "mouse" ? hide() : wait(event)));
  frame.addEventListener("pointermove", (event) => {
    const far = from && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > TREMBLE_PX;
    if (event.pointerType !== "mouse" && far) hide();
  });
  frame.addEventListener("pointerup", () => clearTimeout(timer));
  frame.addEventListener("pointercancel", () => clearTimeout(timer));
  // A long press would open the browser's own menu of a link over the words.
  frame.addEventListener("contextmenu", (event) => tip.hidden || event.preventDefault());
  frame.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && show(squareAt(event.target)));
  frame.addEventListener("focusout", hide);
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
}
