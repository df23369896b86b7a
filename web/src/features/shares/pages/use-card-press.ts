import { useEffect, useRef, type RefObject } from 'react';
import { LongPress } from '../../../ui/long-press.ts';

interface CardPress {
  /** Whether some shares are selected, so that a tap selects another one. */
  readonly isSelecting: boolean;
  readonly onHold: (hash: string) => void;
  readonly onTap: (hash: string) => void;
}

const hashOf = (target: EventTarget | null): string | null =>
  (target instanceof Element && target.closest<HTMLElement>('[data-share]')?.dataset['share']) || null;

const isOnCheckbox = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('label') !== null;

/** Handles long presses and taps of fingers on the cards in `root`. */
export function useCardPress(root: RefObject<HTMLElement | null>, handlers: CardPress): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    let isTouch = false;
    let ignoresNextClick = false;
    const press = new LongPress<string>((hash) => {
      ignoresNextClick = true;
      latest.current.onHold(hash);
    });
    element.addEventListener(
      'pointerdown',
      (event) => {
        ignoresNextClick = false;
        isTouch = event.pointerType === 'touch';
        press.cancel();
        const hash = hashOf(event.target);
        if (isTouch && event.isPrimary && hash !== null && !isOnCheckbox(event.target))
          press.begin(hash, event);
      },
      { signal },
    );
    element.addEventListener('pointermove', (event) => press.moved(event), { signal, passive: true });
    element.addEventListener('pointerup', (event) => press.end(event), { signal });
    element.addEventListener('pointercancel', () => press.cancel(), { signal });
    // The menu of the browser for a link.
    element.addEventListener('contextmenu', (event) => isTouch && event.preventDefault(), { signal });
    element.addEventListener(
      'click',
      (event) => {
        const hash = hashOf(event.target);
        const selects = latest.current.isSelecting && hash !== null && !isOnCheckbox(event.target);
        if (!ignoresNextClick && !selects) return;
        event.preventDefault();
        event.stopPropagation();
        if (!ignoresNextClick && hash !== null) latest.current.onTap(hash);
        ignoresNextClick = false;
      },
      { signal, capture: true },
    );
    return () => {
      listening.abort();
      press.cancel();
    };
  }, [root]);
}
