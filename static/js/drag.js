// Dragging by mouse, pen or finger. The piece itself follows the pointer; a short stroke stays a click.

const THRESHOLD = 6; // CSS pixels before a press becomes a drag

/**
 * `lift(target)` gives the piece to carry from what was pressed, or null; `start(piece)` is called once it moves,
 * `drop(piece, target)` with the element under the pointer at the end, null if the drag was broken off.
 */
export function draggable(root, { lift, start, drop }) {
  let carried = null; // the piece under the pointer: {piece, x, y, moving}

  function end(target) {
    const { piece, moving } = carried;
    carried = null;
    piece.style.translate = "";
    piece.classList.remove("carried");
    if (!moving) return;
    // The browser sends a click after the release: it belongs to the drag and says nothing new.
    const swallow = (event) => { event.preventDefault(); event.stopPropagation(); };
    root.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => root.removeEventListener("click", swallow, { capture: true }));
    drop(piece, target);
  }

  root.addEventListener("dragstart", (event) => event.preventDefault());
  root.addEventListener("pointerdown", (event) => {
    const piece = event.isPrimary && event.button === 0 ? lift(event.target) : null;
    if (piece) carried = { piece, x: event.clientX, y: event.clientY, moving: false };
  });
  addEventListener("pointermove", (event) => {
    if (!carried || !event.isPrimary) return;
    const [x, y] = [event.clientX - carried.x, event.clientY - carried.y];
    if (!carried.moving && Math.hypot(x, y) < THRESHOLD) return;
    if (!carried.moving) {
      carried.moving = true;
      carried.piece.classList.add("carried");
      start(carried.piece);
    }
    carried.piece.style.translate = `${x}px ${y}px`;
  });
  addEventListener("pointerup", (event) => {
    if (carried && event.isPrimary) end(document.elementFromPoint(event.clientX, event.clientY));
  });
  addEventListener("pointercancel", () => carried && end(null));
}
