// Plies of a replay, fetched in blocks and put together; docs/board-markup.md lays down what a block holds.

const frames = new Map(); // by ply: {board, marks, parts}, whole
const lines = new Map(); // by ply: its line of the move list
const requests = new Map(); // by block: the promise of it

export const has = (ply) => frames.has(ply);
export const frame = (ply) => frames.get(ply);
export const line = (ply) => lines.get(ply);

/** Fetch the block with a ply, once; rejected if it does not come, and asked for again then. */
export function fetchPly(ply, { plies, block }) {
  const number = Math.floor(ply / Number(block));
  if (!requests.has(number)) {
    const came = fetchBlock(new URL(plies.replace("{}", number), document.baseURI));
    requests.set(number, came);
    came.catch(() => requests.delete(number));
  }
  return requests.get(number);
}

async function fetchBlock(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status}`);
  const fetched = await answer.json();
  let [board, parts] = [{}, {}];
  for (const [place, ply] of fetched.plies.entries()) {
    board = { ...board };
    for (const [square, look] of Object.entries(ply.board)) board[square] = fetched.looks[look];
    parts = { ...parts, ...ply.parts };
    frames.set(fetched.first + place, { board, marks: ply.marks, parts });
  }
  for (const each of fetched.lines) lines.set(each.ply, each);
}
