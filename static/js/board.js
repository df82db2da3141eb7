// A move made on the board: click, drag or keyboard choose squares, and the move's text stands in the form.
// The form alone sends it. The markup expected is laid down in docs/board-markup.md.

import { draggable } from "./drag.js";
import { roam, squareAt } from "./grid.js";

const STATES = ["chosen", "target", "taken", "draft-from", "draft-to"];
const path = (move) => move.match(/[a-z]\d+/g) ?? [];

const board = document.querySelector("table.board:not(.setup)");
const form = document.getElementById("move-form");
const listed = document.getElementById("moves");
const moves = listed ? JSON.parse(listed.textContent).map((text) => ({ text, path: path(text) })) : [];
const jumps = JSON.parse(document.getElementById("jumps")?.textContent ?? "{}");
const field = form?.elements.move;
const draft = document.getElementById("draft");
const idle = draft?.dataset.idle ?? draft?.textContent;
let picked = []; // the squares chosen so far, the beginning of a move's path

function cellOf(square) {
  return board.querySelector(`td[data-square="${square}"]`);
}

/** The link to what the reader knows of a piece of the opponent, while no move has been begun. */
function dossierLink(cell) {
  return picked.length ? null : cell.querySelector('a.piece[href^="?piece="]');
}

/** The listed moves that begin with `squares`. */
function fitting(squares) {
  return moves.filter((move) => squares.every((square, i) => move.path[i] === square));
}

function targets() {
  return new Set(fitting(picked).map((move) => move.path[picked.length]).filter(Boolean));
}

/** Choose one square more, or turn off the way somewhere else, or begin again, or lay everything down. */
function press(cell) {
  const square = cell.dataset.square;
  const ways = picked.map((_, i) => [...picked.slice(0, picked.length - i), square]);
  const way = ways.find((squares) => fitting(squares).length);
  if (square === picked.at(-1) && picked.length > 1 && !targets().has(square)) form.querySelector("button.primary").focus();
  else if (way) show(way);
  else if (square !== picked[0] && fitting([square]).length) show([square]);
  else show([]);
}

function show(squares, typed = false) {
  picked = squares;
  const move = fitting(picked).find((each) => each.path.length === picked.length && picked.length);
  wipe();
  const huffed = isHuff();
  const way = huffed ? picked.slice(1) : picked;
  const mark = (state, squares) => squares.forEach((square) => cellOf(square).classList.add(state));
  if (huffed) mark("taken", [picked[0]]);
  if (way.length) mark("target", [...targets()]);
  if (way.length === 1) mark("chosen", way);
  if (way.length > 1) {
    mark("draft-from", [way[0]]);
    mark("draft-to", [way.at(-1)]);
    mark("taken", jumped(way));
    place(way);
  }
  for (const square of way) cellOf(square).setAttribute("aria-selected", "true");
  for (const square of way.length ? targets() : []) name(cellOf(square));
  if (!typed) field.value = move?.text ?? "";
  say(move, huffed);
}

/** Say for the ear that a square is a target, with what stands there. */
function name(cell) {
  const there = cell.querySelector(".piece:not(.drafted)")?.getAttribute("aria-label");
  cell.setAttribute("aria-label", [cell.dataset.square, there, draft.dataset.target].filter(Boolean).join(", "));
}

/** Whether what is picked begins by huffing, with a piece that is not the mover's own. */
function isHuff() {
  return picked.length > 0 && fitting(picked).some((move) => move.text.startsWith("*"));
}

/** The squares that are jumped over and taken on the way; the server names them. */
function jumped(way) {
  return way.slice(1).map((square, i) => jumps[way[i] + square]).filter(Boolean);
}

/** Remove every mark of a choice, those of the server included. */
function wipe() {
  for (const cell of board.querySelectorAll(STATES.map((state) => `td.${state}`).join())) {
    cell.classList.remove(...STATES);
    cell.removeAttribute("aria-selected");
    cell.removeAttribute("aria-label");
  }
  for (const extra of board.querySelectorAll("td > :is(a, button):not(.piece), .drafted")) extra.remove();
}

/** Show the moving piece on the last free square of its way; a chain may end where it began. */
function place(way) {
  const piece = cellOf(way[0]).querySelector(".piece");
  const end = way.slice(1).reverse().map(cellOf).find((cell) => !cell.querySelector(".piece") || cell.matches(".taken"));
  if (!piece || !end || way[0] === way.at(-1)) return;
  const copy = document.createElement("span");
  copy.className = `${piece.className} drafted`;
  copy.setAttribute("aria-hidden", "true");
  copy.innerHTML = piece.innerHTML;
  end.append(copy);
}

function say(move, huffed) {
  draft.classList.toggle("pending", Boolean(move));
  if (move) {
    const further = targets().size ? ` · ${draft.dataset.further}` : "";
    draft.textContent = draft.dataset.pending.replace("%s", move.text) + further;
  } else if (huffed && picked.length === 1) draft.textContent = draft.dataset.huffed.replace("%s", picked[0]);
  else if (picked.length) {
    const begun = huffed ? `*${picked[0]},${picked.slice(1).join("-")}` : picked.join("-");
    draft.textContent = `${begun} → ${[...targets()].join(", ")}`;
  } else draft.textContent = idle;
}

function listen() {
  for (const move of moves) cellOf(move.path[0])?.classList.add("ready");
  const begun = draft.dataset.begun ? draft.dataset.begun.split(" ") : path(field.value);
  if (begun.length && fitting(begun).length) show(begun);
  board.addEventListener("click", (event) => {
    const cell = squareAt(event.target);
    if (!cell || dossierLink(cell)) return;
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
if (board) roam(board, (cell) => (dossierLink(cell) ? dossierLink(cell).click() : live && press(cell)));
if (live) listen();
