// Paints one ply of a replay on the page: the board square by square, and the parts next to it by their names.

import { line } from "./blocks.js";

const LAST_MOVE = ["last-from", "last-to", "battle", "hit"];
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const SLIDE_MS = 150;

const page = document.querySelector(".table");
const live = document.querySelector("table.board"); // as the page came, with whatever may be chosen on it
const board = document.getElementById("player").dataset.newest === "restore" ? copy(live) : live;
const cells = [...board.querySelectorAll("td[data-square]:not(.lake)")];
const painted = new Map(); // the HTML of each square, once it is ours

function copy(table) {
  const bare = table.cloneNode(true);
  bare.removeAttribute("role");
  for (const cell of bare.querySelectorAll("td[data-square]")) {
    cell.classList.remove(...[...cell.classList].filter((name) => !["lake", "fort"].includes(name)));
    for (const name of ["tabindex", "aria-selected", "aria-label"]) cell.removeAttribute(name);
  }
  return bare;
}

/** Paint a ply; with `moves` the piece that moved is seen moving. */
export function paint(ply, last, { board: squares, marks, parts }, moves) {
  if (board !== live && !board.isConnected) lookBack();
  for (const cell of cells) {
    const html = squares[cell.dataset.square] ?? "";
    if (painted.get(cell) !== html) cell.innerHTML = html;
    painted.set(cell, html);
    const named = marks[cell.dataset.square]?.split(" ") ?? [];
    for (const mark of LAST_MOVE) cell.classList.toggle(mark, named.includes(mark));
    if (!cell.classList.length) cell.removeAttribute("class");
  }
  board.caption.textContent = parts.caption;
  document.querySelector(".replay .at").textContent = parts.at;
  for (const part of document.querySelectorAll("[data-part]")) {
    const html = parts[part.dataset.part] ?? "";
    if (painted.get(part) !== html) part.innerHTML = html;
    painted.set(part, html);
  }
  link(ply, last);
  list(ply);
  number(ply);
  if (moves && !STILL.matches) slide(marks);
}

/** Show a copy of the board, and put away what goes with the present one. */
function lookBack() {
  live.replaceWith(board);
  page.classList.add("past");
  document.querySelector(".state .back").hidden = false;
  if (getComputedStyle(document.querySelector(".look-back")).position === "fixed") scrollTo(0, 0);
}

/** The board that the page came with, and everything that could be done on it. */
export function restore() {
  board.replaceWith(live);
  page.classList.remove("past");
  document.querySelector(".state .back").hidden = true;
}

/** The links of the replay bar, and those that lead to the same ply elsewhere. */
function link(ply, last) {
  const to = [["first", 0], ["prev", ply - 1], ["next", ply + 1], ["last", last]];
  for (const [place, a] of document.querySelectorAll(".replay a").entries()) {
    const [rel, there] = to[place];
    const on = there >= 0 && there <= last && there !== ply;
    const address = new URL(location.href);
    address.searchParams.delete("move");
    address.searchParams.set("ply", there);
    set(a, { rel: on && rel, href: on && address.search + "#board", role: on ? false : "link", tabindex: on ? false : "-1", "aria-disabled": on ? false : "true" });
  }
  for (const a of document.querySelectorAll("[data-follow] a")) {
    const address = new URL(a.href);
    address.searchParams.set("ply", ply);
    a.href = address.search + address.hash;
  }
  for (const field of document.querySelectorAll("[data-follow] [name=ply]")) field.value = ply;
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
}

/** The field "Go to move" of the archive stands at the move that is shown. */
function number(ply) {
  const field = document.querySelector('input[type="number"][name="move"]');
  if (field && line(ply)?.move != null) field.value = line(ply).move;
}

/** The moves around a ply: line by line, or in turns of two, the newest first. */
function list(ply) {
  const moves = document.querySelector("ul.moves");
  if (!moves) return;
  const { before, after } = moves.dataset;
  const listed = [];
  for (let each = ply - Number(before); each <= ply + Number(after); each++) if (line(each)) listed.push(line(each));
  const turns = new Map();
  for (const { move, column, html } of listed.filter((each) => "column" in each)) {
    if (!turns.has(move)) turns.set(move, ["<span></span>", "<span></span>"]);
    turns.get(move)[column] = html;
  }
  const rows = turns.size ? [...turns].reverse().map(([move, sides]) => `<span>${move}</span> ${sides.join(" ")}`) : listed.map(({ html }) => html);
  moves.innerHTML = rows.map((row) => `<li>${row}</li>`).join("");
  for (const a of moves.querySelectorAll("a")) if (Number(new URL(a.href).searchParams.get("ply")) === ply) a.setAttribute("aria-current", "step");
}

function slide(marks) {
  const at = (name) => cells.find((cell) => marks[cell.dataset.square]?.includes(name));
  const [from, to] = [at("last-from"), at("last-to") ?? at("battle")];
  const piece = to?.querySelector(".piece");
  if (!from || !piece) return;
  const [start, end] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  piece.animate([{ translate: `${start.x - end.x}px ${start.y - end.y}px` }, { translate: "0 0" }], SLIDE_MS);
}
