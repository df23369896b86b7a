import { useEffect, useRef, type RefObject } from 'react';

export interface PreviewKeys {
  close: () => void;
  /** Towards the left or right edge of the screen. */
  turn: (towards: 'left' | 'right') => void;
  zoomIn: () => void;
  zoomOut: () => void;
  fit: () => void;
  remove: () => void;
  rename: () => void;
}

/** Whether an element wants the arrow keys for itself, as players, frames and fields do. */
const usesArrows = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('audio, video, iframe, input, textarea, select') !== null;

/** The previewer's keys. They work while the focus is in it or nowhere, not while a dialog lies above it. */
export function usePreviewKeys(ref: RefObject<HTMLElement | null>, keys: PreviewKeys): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event;
      const isHere = target instanceof Node && ref.current?.contains(target) === true;
      if (!isHere && target !== document.body) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const action = actionOf(event.key, usesArrows(target));
      if (!action) return;
      event.preventDefault();
      action(current.current);
    };
    // The previewer keeps its events from the page behind it, so they are met on their way in.
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [ref]);
}

function actionOf(key: string, isInPlayer: boolean): ((keys: PreviewKeys) => void) | null {
  if (key === 'Escape') return (keys) => keys.close();
  if (isInPlayer) return null;
  switch (key) {
    case 'ArrowLeft':
      return (keys) => keys.turn('left');
    case 'ArrowRight':
      return (keys) => keys.turn('right');
    case '+':
    case '=':
      return (keys) => keys.zoomIn();
    case '-':
      return (keys) => keys.zoomOut();
    case '0':
      return (keys) => keys.fit();
    case 'Delete':
      return (keys) => keys.remove();
    case 'F2':
      return (keys) => keys.rename();
    default:
      return null;
  }
}
