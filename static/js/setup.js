// The set-up editor: taps, drags and keys place, swap and take off without a page load. Hidden fields in the squares
// are the truth and what the form sends. The markup expected is laid down in docs/board-markup.md.

import { draggable } from "./drag.js";
import { roam, squareAt } from "./grid.js";

const form = document.getElementById("setup-form");
const board = form?.querySelector("table.board.setup");
const hand = document.getElementById("hand");
const status = document.getElementById("setup-status");
const text = document.getElementById("id_text");
const undo = document.getElementById("undo");
const turns = form?.hasAttribute("data-turns"); // a piece may stand in two ways: 40 and 04 are one tile
const ranks = new Map([...(hand?.children ?? [])].map((item) => [item.dataset.rank, item]));
const steps = []; // what stood in the squares before each step, the newest last
const before = undo && !undo.disabled; // the server has steps from before this page
let chosen = null; // a td, an li of the hand, or nothing

const turned = (value) => [...value].reverse().join("");
const fieldOf = (cell) => cell.querySelector('input[type="hidden"]');
const itemOf = (value) => ranks.get(value) ?? (turns ? ranks.get(turned(value)) : undefined);
const cells = () => [...board.querySelectorAll("td[data-square]")].filter(fieldOf);
const standing = () => cells().map((cell) => fieldOf(cell).value);

/** How many of this item are still in the hand. */
function left(item) {
  return Number(item.dataset.count) - cells().filter((cell) => itemOf(fieldOf(cell).value) === item).length;
}

function draw() {
  for (const cell of cells()) {
    for (const drawn of cell.querySelectorAll(".piece, button")) drawn.remove();
    cell.classList.toggle("chosen", cell === chosen);
    const value = fieldOf(cell).value;
    const item = itemOf(value);
    if (item) cell.append(pieceFor(item, value));
    if (cell === chosen) cell.setAttribute("aria-selected", "true");
    else cell.removeAttribute("aria-selected");
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
  const sentence = waiting > 0 ? status.dataset.left.replace("%s", waiting) : status.dataset.done;
  status.textContent = chosen ? status.dataset.chosen.replace("%s", nameOf(chosen)) : sentence;
  undo.disabled = !steps.length && !before;
}

function nameOf(place) {
  const label = place.querySelector(".piece").getAttribute("aria-label");
  return place.matches("td") ? `${label} (${place.dataset.square})` : label;
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

/** Whatever `act` does is one step, which can be undone; the text follows. */
function step(act) {
  const stood = standing();
  act();
  if (standing().join() !== stood.join()) {
    steps.push(stood);
    write();
  }
  draw();
}

function stepBack(event) {
  if (!steps.length) return; // the form is sent: the server knows earlier steps
  event.preventDefault();
  const stood = steps.pop();
  cells().forEach((cell, index) => put(cell, stood[index]));
  chosen = null;
  write();
  draw();
}

/** The set-up as its text, as the notation writes it. */
function write() {
  const rows = [...board.tBodies[0].rows].map((row) => [...row.cells].filter((cell) => cell.dataset.square && fieldOf(cell)));
  const ordered = rows.filter((row) => row.length).map((row) => row.sort((one, other) => named(one).localeCompare(named(other))));
  ordered.sort(([one], [other]) => number(other) - number(one));
  const values = ordered.map((row) => row.map((cell) => fieldOf(cell).value));
  const { signs } = text.dataset;
  if (signs === "squares") text.value = ordered.flat().filter((cell) => fieldOf(cell).value).map(named).sort().join(",");
  else if (signs === "--") text.value = values.map((row) => row.map((value) => value || signs).join("")).join("/");
  else text.value = values.map(runs).join("/");
}

const named = (cell) => cell.dataset.square;
const number = (cell) => Number(named(cell).slice(1));

/** A row with its empty squares counted. */
function runs(values) {
  let [row, empty] = ["", 0];
  for (const value of [...values, null]) {
    if (value === "") empty += 1;
    else {
      row += (empty || "") + (value ?? "");
      empty = 0;
    }
  }
  return row;
}

function put(cell, value) {
  fieldOf(cell).value = value;
}

function swap(one, other) {
  const value = fieldOf(one).value;
  put(one, fieldOf(other).value);
  put(other, value);
}

function turn(cell) {
  if (turns) put(cell, turned(fieldOf(cell).value));
}

/** The one gesture on a square: place what is chosen, swap, turn, or choose what stands there. */
function press(cell) {
  if (!fieldOf(cell)) return;
  step(() => {
    if (chosen?.matches("li")) {
      if (left(chosen) > 0) put(cell, chosen.dataset.rank);
      if (left(chosen) <= 0) chosen = null;
    } else if (chosen === cell) {
      turn(cell);
      chosen = null;
    } else if (chosen) {
      swap(chosen, cell);
      chosen = null;
    } else if (fieldOf(cell).value) {
      chosen = cell;
    }
  });
}

/** A piece of the board goes back to the hand; a piece of the hand is chosen. */
function pressHand(item) {
  step(() => {
    if (chosen?.matches("td")) {
      put(chosen, "");
      chosen = null;
    } else {
      chosen = item && item !== chosen && left(item) > 0 ? item : null;
    }
  });
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
  else if (!cell || !fieldOf(cell) || event.ctrlKey || event.altKey || event.metaKey) return;
  else if (event.key === "Delete" || event.key === "Backspace") step(() => put(cell, ""));
  else if (turns && event.key.toLowerCase() === "t") step(() => turn(cell));
  else {
    const item = ranks.get(event.key.toUpperCase());
    if (!item || left(item) <= 0) return;
    step(() => put(cell, item.dataset.rank));
  }
  event.preventDefault();
  draw();
}

if (board && hand && status && cells().length) {
  board.classList.add("drawn");
  chosen = board.querySelector("td.chosen") ?? hand.querySelector("li.chosen");
  draw();
  roam(board, press);
  board.addEventListener("click", (event) => {
    const cell = squareAt(event.target);
    if (cell) press(cell);
  });
  hand.addEventListener("click", (event) => {
    event.preventDefault();
    pressHand(event.target.closest("li"));
  });
  undo.addEventListener("click", stepBack);
  form.addEventListener("keydown", key);
  draggable(form, {
    lift: (target) => target.closest("td:has(input) .piece") ?? target.closest(".hand li:not(.spent) .piece"),
    start: () => {},
    drop,
  });
}
