import { useLayoutEffect, useRef, useState, type PointerEvent } from 'react';
import { flushSync } from 'react-dom';

/**
 * Lets rows be dragged by their grips, with mouse, pen or finger: as soon as the pointer passes the middle of another
 * row, the dragged one takes its position, however many rows are between. `rowAt` returns the element at a position,
 * `onMove` moves one row to the position of another.
 */
export function useRowDrag(
  rowAt: (index: number) => HTMLElement | undefined,
  onMove: (from: number, to: number) => void,
) {
  const [dragged, setDragged] = useState<number | null>(null);
  const draggedIndex = useRef(0);
  /** The callbacks of the last render, since the list changes while a row is dragged. */
  const latest = useRef({ rowAt, onMove });
  useLayoutEffect(() => {
    latest.current = { rowAt, onMove };
  });

  const start = (index: number, event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const grip = event.currentTarget;
    draggedIndex.current = index;
    setDragged(index);

    const follow = ({ clientY }: globalThis.PointerEvent) => {
      const at = draggedIndex.current;
      const middleOf = (position: number): number => {
        const row = latest.current.rowAt(position)?.getBoundingClientRect();
        return row === undefined ? Number.NaN : row.top + row.height / 2;
      };
      let to = at;
      while (clientY < middleOf(to - 1)) to -= 1;
      while (clientY > middleOf(to + 1)) to += 1;
      if (to === at) return;
      draggedIndex.current = to;
      // The next movement is compared with the rows in their new order.
      flushSync(() => {
        setDragged(to);
        latest.current.onMove(at, to);
      });
    };
    const stop = () => {
      setDragged(null);
      listening.abort();
    };
    const listening = new AbortController();
    const { signal } = listening;
    // The grip's element is moved in the document with its row, which ends a pointer capture; hence the listeners on
    // the window.
    window.addEventListener('pointermove', follow, { signal });
    window.addEventListener('pointerup', stop, { signal });
    window.addEventListener('pointercancel', stop, { signal });
    grip.ownerDocument.addEventListener('visibilitychange', stop, { signal });
  };

  return { dragged, start };
}
