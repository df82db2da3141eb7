// The set-up editor: pieces drawn over the selects, which stay the truth and are what the form sends.
// Click, drag and keyboard place, swap and take off. The markup expected is laid down in docs/board-markup.md.

import { draggable } from "./drag.js";
import { roam, squareAt } from "./grid.js";

const form = document.getElementById("setup-form");
const board = form?.querySelector("table.board.setup");
const hand = document.getElementById("hand");
const status = document.getElementById("setup-status");
const turns = form?.hasAttribute("data-turns"); // a piece may stand in two ways: 40 and 04 are one tile
const ranks = new Map([...(hand?.children ?? [])].map((item) => [item.dataset.rank, item]));
let chosen = null; // a td, an li of the hand, or nothing

const turned = (value) => [...value].reverse().join("");
const selectOf = (cell) => cell.querySelector("select");
const itemOf = (value) => ranks.get(value) ?? (turns ? ranks.get(turned(value)) : undefined);
const cells = () => [...board.querySelectorAll("td[data-square]")].filter(selectOf);

/** How many of this item are still in the hand. */
function left(item) {
  return Number(item.dataset.count) - cells().filter((cell) => itemOf(selectOf(cell).value) === item).length;
}

function draw() {
  for (const cell of cells()) {
    cell.querySelector(".piece")?.remove();
    cell.classList.toggle("chosen", cell === chosen);
    const value = selectOf(cell).value;
    const item = itemOf(value);
    if (item) cell.append(pieceFor(item, value));
  }
  let waiting = 0;
  for (const item of ranks.values()) {
    const rest = left(item);
    waiting += Math.max(rest, 0);
    item.querySelector(".left").textContent = rest;
    item.classList.toggle("spent", rest <= 0);
    item.classList.toggle("chosen", item === chosen);
    item.querySelector("button").setAttribute("aria-pressed", item === chosen);
  }
  status.textContent = waiting > 0 ? status.dataset.left.replace("%s", waiting) : status.dataset.done;
}

function pieceFor(item, value) {
  const piece = item.querySelector(".piece").cloneNode(true);
  if (value !== item.dataset.rank) {
    piece.append(piece.firstElementChild);
    const figures = [...value];
    piece.setAttribute("aria-label", piece.getAttribute("aria-label").replace(/\d/g, () => figures.shift()));
  }
  return piece;
}

function put(cell, value) {
  selectOf(cell).value = value;
}

function swap(one, other) {
  const value = selectOf(one).value;
  put(one, selectOf(other).value);
  put(other, value);
}

function turn(cell) {
  if (turns) put(cell, turned(selectOf(cell).value));
}

/** The one gesture on a square: place what is chosen, swap, turn, or choose what stands there. */
function press(cell) {
  if (!selectOf(cell)) return;
  if (chosen?.matches("li")) {
    if (left(chosen) > 0) put(cell, chosen.dataset.rank);
    if (left(chosen) <= 0) chosen = null;
  } else if (chosen === cell) {
    turn(cell);
    chosen = null;
  } else if (chosen) {
    swap(chosen, cell);
    chosen = null;
  } else if (selectOf(cell).value) {
    chosen = cell;
  }
  draw();
}

/** A piece of the board goes back to the hand; a piece of the hand is chosen. */
function pressHand(item) {
  if (chosen?.matches("td")) {
    put(chosen, "");
    chosen = null;
  } else {
    chosen = item && item !== chosen && left(item) > 0 ? item : null;
  }
  draw();
}

function drop(piece, target) {
  const cell = squareAt(target);
  const source = piece.closest("td, li");
  chosen = source;
  if (cell && cell !== source) press(cell);
  else if (source.matches("td") && target?.closest(".hand")) pressHand(null);
  chosen = null;
  draw();
}

function key(event) {
  const cell = squareAt(event.target);
  if (event.key === "Escape") chosen = null;
  else if (!cell || !selectOf(cell) || event.ctrlKey || event.altKey || event.metaKey) return;
  else if (event.key === "Delete" || event.key === "Backspace") put(cell, "");
  else if (turns && event.key.toLowerCase() === "t") turn(cell);
  else {
    const item = ranks.get(event.key.toUpperCase());
    if (!item || left(item) <= 0) return;
    put(cell, item.dataset.rank);
  }
  event.preventDefault();
  draw();
}

/** Each piece of the hand becomes a button, so that it can be chosen without a mouse. */
function buttons() {
  for (const item of ranks.values()) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(item.querySelector(".piece"));
    item.prepend(button);
  }
}

if (board && hand && status) {
  board.classList.add("drawn");
  for (const cell of cells()) selectOf(cell).setAttribute("aria-hidden", "true");
  for (const words of document.querySelectorAll(".scripted")) words.hidden = false;
  buttons();
  roam(board, press);
  draw();
  board.addEventListener("click", (event) => squareAt(event.target) && press(squareAt(event.target)));
  hand.addEventListener("click", (event) => pressHand(event.target.closest("li")));
  form.addEventListener("keydown", key);
  form.addEventListener("reset", () => setTimeout(draw));
  draggable(form, {
    lift: (target) => target.closest("td:has(select) .piece") ?? target.closest(".hand li:not(.spent) .piece"),
    start: () => {},
    drop,
  });
}
