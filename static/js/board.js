// A move made on the board: click, drag or keyboard choose squares, and the move's text stands in the form.
// The form alone sends it. The markup expected is laid down in docs/board-markup.md.

import { draggable } from "./drag.js";
import { roam, squareAt } from "./grid.js";

const STATES = ["chosen", "target", "draft-from", "draft-to"];
const path = (move) => move.match(/[a-z]\d+/g) ?? [];

const board = document.querySelector("table.board:not(.setup)");
const form = document.getElementById("move-form");
const listed = document.getElementById("moves");
const moves = listed ? JSON.parse(listed.textContent).map((text) => ({ text, path: path(text) })) : [];
const field = form?.elements.move;
const draft = document.getElementById("draft");
const idle = draft?.dataset.idle ?? draft?.textContent;
let picked = []; // the squares chosen so far, the beginning of a move's path

function cellOf(square) {
  return board.querySelector(`td[data-square="${square}"]`);
}

/** The listed moves that begin with `squares`. */
function fitting(squares) {
  return moves.filter((move) => squares.every((square, i) => move.path[i] === square));
}

function targets() {
  return new Set(fitting(picked).map((move) => move.path[picked.length]).filter(Boolean));
}

/** Choose one square more, or another target, or begin anew, or lay everything down. */
function press(cell) {
  const square = cell.dataset.square;
  const last = picked.at(-1);
  if (picked.length && targets().has(square)) show([...picked, square]);
  else if (square === last && picked.length > 1) form.querySelector("button").focus();
  else if (picked.length > 1 && fitting([picked[0], square]).length) show([picked[0], square]);
  else if (square !== picked[0] && fitting([square]).length) show([square]);
  else show([]);
}

function show(squares, typed = false) {
  picked = squares;
  const move = fitting(picked).find((each) => each.path.length === picked.length && picked.length);
  wipe();
  for (const square of picked.length ? targets() : []) cellOf(square).classList.add("target");
  if (picked.length) cellOf(picked[0]).classList.add(move ? "draft-from" : "chosen");
  if (move) {
    cellOf(picked.at(-1)).classList.add("draft-to");
    place(move);
  }
  if (!typed) field.value = move?.text ?? "";
  say(move);
}

/** Remove every mark of a choice, those of the server included. */
function wipe() {
  for (const cell of board.querySelectorAll(STATES.map((state) => `td.${state}`).join())) cell.classList.remove(...STATES);
  for (const extra of board.querySelectorAll("td > :is(a, button):not(.piece), .drafted")) extra.remove();
}

/** Show the moving piece on the last empty square of its way; a blown officer is not the mover. */
function place(move) {
  const way = move.text.startsWith("*") ? move.path.slice(1) : move.path;
  const piece = way.length ? cellOf(way[0]).querySelector(".piece") : null;
  const end = way.slice(1).reverse().map(cellOf).find((cell) => !cell.querySelector(".piece"));
  if (!piece || !end) return;
  const copy = document.createElement("span");
  copy.className = `${piece.className} drafted`;
  copy.setAttribute("aria-hidden", "true");
  copy.innerHTML = piece.innerHTML;
  end.append(copy);
}

function say(move) {
  draft.classList.toggle("pending", Boolean(move));
  if (move) draft.textContent = draft.dataset.pending.replace("%s", move.text);
  else if (picked.length) draft.textContent = `${picked.join("-")} → ${[...targets()].join(", ")}`;
  else draft.textContent = idle;
}

function listen() {
  for (const move of moves) cellOf(move.path[0])?.classList.add("ready");
  const chosen = board.querySelector("td.chosen")?.dataset.square;
  const begun = field.value ? path(field.value) : chosen ? [chosen] : [];
  if (begun.length && fitting(begun).length) show(begun);
  board.addEventListener("click", (event) => {
    const cell = squareAt(event.target);
    if (!cell) return;
    event.preventDefault();
    cell.focus();
    press(cell);
  });
  draggable(board, {
    lift: (target) => squareAt(target)?.matches(".ready") ? squareAt(target).querySelector(".piece") : null,
    start: (piece) => show([squareAt(piece).dataset.square]),
    drop: (piece, target) => {
      const cell = squareAt(target);
      if (cell && targets().has(cell.dataset.square)) press(cell);
      else if (cell !== squareAt(piece)) show([]);
    },
  });
  form.addEventListener("reset", () => show([]));
  field.addEventListener("input", () => {
    const known = moves.find((move) => move.text === field.value.trim());
    show(known ? known.path : [], true);
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && show([]));
}

const live = board && form && listed;
if (board) roam(board, (cell) => live && press(cell));
if (live) listen();
