import { useEffect, useRef, type RefObject } from 'react';
import { areSingleKeysOn } from '../../ui/keyboard/single-keys.ts';
import { playerAction } from './media/player-keys.ts';

export interface PreviewKeys {
  close: () => void;
  /** Towards the left or right edge of the screen. */
  turn: (towards: 'left' | 'right') => void;
  /** To the neighbour before or behind, whichever way the language reads. */
  step: (towards: 'previous' | 'next') => void;
  zoomIn: () => void;
  zoomOut: () => void;
  fit: () => void;
  actualSize: () => void;
  info: () => void;
  remove: () => void;
  rename: () => void;
}

/** Whether an element wants most keys for itself: fields, frames, and documents that scroll. */
const usesKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('iframe, input, textarea, select, [role="region"]') !== null;

/** Whether a press of Enter or Space belongs to the element. */
const isPressed = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, a[href], [role="button"]') !== null;

/** The previewer's keys. They work while the focus is in it or nowhere, not while a dialog lies above it. */
export function usePreviewKeys(
  ref: RefObject<HTMLElement | null>,
  player: RefObject<HTMLMediaElement | null>,
  keys: PreviewKeys,
): void {
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
      const act = actionOf(event, player.current);
      if (!act) return;
      event.preventDefault();
      // The browser's player would act on the same key once more.
      event.stopPropagation();
      act(current.current);
    };
    // The previewer keeps its events from the page behind it, so they are met on their way in.
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [ref, player]);
}

function actionOf(
  { key, shiftKey, target }: KeyboardEvent,
  player: HTMLMediaElement | null,
): ((keys: PreviewKeys) => void) | null {
  // Full screen is left by the browser itself.
  if (key === 'Escape') return document.fullscreenElement ? null : (keys) => keys.close();
  if (usesKeys(target)) return null;
  if ((key === ' ' || key === 'Enter') && isPressed(target)) return null;
  if (key.length === 1 && key !== ' ' && !areSingleKeysOn()) return null;
  const isShiftedArrow = shiftKey && key.startsWith('Arrow');
  const play = player && !isShiftedArrow ? playerAction(key, player) : null;
  if (play) return play;
  switch (key) {
    case 'ArrowLeft':
      return (keys) => keys.turn('left');
    case 'ArrowRight':
      return (keys) => keys.turn('right');
    case 'PageUp':
      return (keys) => keys.step('previous');
    case 'Enter':
    case 'PageDown':
      return (keys) => keys.step('next');
    case ' ':
      return (keys) => keys.close();
    case '+':
    case '=':
      return (keys) => keys.zoomIn();
    case '-':
      return (keys) => keys.zoomOut();
    case '0':
      return (keys) => keys.fit();
    case '1':
      return (keys) => keys.actualSize();
    case 'i':
      return (keys) => keys.info();
    case 'Delete':
      return (keys) => keys.remove();
    case 'F2':
      return (keys) => keys.rename();
    default:
      return null;
  }
}
