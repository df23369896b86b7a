import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import type { Book } from './read-book.ts';
import { loadReadingPosition, saveReadingPosition, type ReadingPosition } from './reading-position.ts';
import { anchorId } from './render-part.ts';

/** A named anchor in a part of a book. */
export interface BookAnchor {
  readonly part: number;
  readonly anchor: string;
}

/** The shown position in a book, and the functions that change it. They are remembered in this browser. */
export interface Reading {
  /** The element that scrolls the part. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly part: number;
  /** Shows the beginning of a part, and focuses it. */
  readonly showPart: (part: number) => void;
  readonly showAnchor: (target: BookAnchor) => void;
  /** Remembers the scroll position in the part, from 0 to 1. */
  readonly saveFraction: (fraction: number) => void;
}

/** Shows the book `id`, at first at the position at which it was left. */
export function useReading(book: Book, id: string): Reading {
  const scroller = useRef<HTMLDivElement>(null);
  const [position, setPosition] = useState<ReadingPosition | BookAnchor>(() => {
    const saved = loadReadingPosition(id);
    return saved.part < book.parts.length ? saved : { part: 0, fraction: 0 };
  });
  const { part } = position;
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    if ('fraction' in position) {
      box.scrollTop = position.fraction * box.scrollHeight;
      return;
    }
    const target = position.anchor && box.querySelector(`[id="${CSS.escape(anchorId(position.anchor))}"]`);
    if (target) target.scrollIntoView({ block: 'start' });
    else box.scrollTop = 0;
  }, [position]);
  const showAnchor = useCallback(
    (target: BookAnchor) => {
      setPosition(target);
      saveReadingPosition(id, { part: target.part, fraction: 0 });
    },
    [id],
  );
  return {
    scroller,
    part,
    showAnchor,
    showPart: (next) => {
      setPosition({ part: next, fraction: 0 });
      saveReadingPosition(id, { part: next, fraction: 0 });
      scroller.current?.focus({ preventScroll: true });
    },
    saveFraction: (fraction) => saveReadingPosition(id, { part, fraction }),
  };
}
