// The arrow keys on a board. One square is in the tab order; the arrows, Home and End carry it about.

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export const squareAt = (target) => target?.closest?.("td[data-square]") ?? null;

/** Make `board` a grid for the keyboard; `act(cell)` is called for Enter and the space bar. */
export function roam(board, act) {
  const rows = [...board.tBodies[0].rows].map((row) => [...row.cells].slice(1));
  const cells = rows.flat().filter((cell) => cell.dataset.square);
  board.setAttribute("role", "grid");
  for (const cell of cells) cell.tabIndex = -1;
  for (const inner of board.querySelectorAll("td :is(a, button, select)")) inner.tabIndex = -1;
  let current = cells.find((cell) => cell.querySelector('a.piece:not([href^="?piece="]), button.piece')) ?? cells.at(-1);
  current.tabIndex = 0;

  function settle(cell) {
    current.tabIndex = -1;
    current = cell;
    current.tabIndex = 0;
  }

  function step([down, right]) {
    let y = rows.findIndex((row) => row.includes(current));
    let x = rows[y].indexOf(current);
    // Assaut's board has corners without a point: the arrow passes over them.
    do {
      y += down;
      x += right;
    } while (rows[y]?.[x] && !rows[y][x].dataset.square);
    return rows[y]?.[x];
  }

  board.addEventListener("focusin", (event) => {
    const cell = squareAt(event.target);
    if (cell && cell !== current) settle(cell);
  });
  board.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !squareAt(event.target)) return;
    const row = rows.find((each) => each.includes(current)).filter((cell) => cell.dataset.square);
    if (event.key === "Enter" || event.key === " ") act(current);
    else if (event.key in STEPS) step(STEPS[event.key])?.focus();
    else if (event.key === "Home") row[0].focus();
    else if (event.key === "End") row.at(-1).focus();
    else return;
    event.preventDefault();
  });
}
