import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { areSingleKeysOn } from '../../ui/keyboard/single-keys.ts';
import { playerAction } from './media/player-keys.ts';

export interface PreviewKeys {
  close: () => void;
  /** Continues a recording in the background player. */
  minimize: () => void;
  /** Moves towards the left or right edge of the screen. */
  turn: (direction: 'left' | 'right') => void;
  /** Moves to the previous or next neighbor, independent of the writing direction. */
  step: (direction: 'previous' | 'next') => void;
  zoomIn: () => void;
  zoomOut: () => void;
  fitToWindow: () => void;
  actualSize: () => void;
  info: () => void;
  /** Rotates the picture, clockwise in degrees. */
  rotate: (degrees: 90 | 270) => void;
  remove: () => void;
  rename: () => void;
  /** Starts or pauses the slideshow. */
  toggleSlideshow: () => void;
  /** Pauses the slideshow. Absent while none is running. */
  pauseSlideshow: (() => void) | undefined;
}

/** Whether an element handles most keys itself: fields, frames and scrollable documents. */
const handlesKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('iframe, input, textarea, select, [role="region"]') !== null;

/** Whether the element handles Enter and Space itself. */
const handlesPress = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, a[href], [role="button"]') !== null;

/** Handles the previewer's keys while the focus is in it or nowhere, and not while a dialog is open above it. */
export function usePreviewKeys(
  ref: RefObject<HTMLElement | null>,
  player: RefObject<HTMLMediaElement | null>,
  keys: PreviewKeys,
): void {
  const latestKeys = useRef(keys);
  // Effects run after the browser has painted: a key pressed in between would be handled for the previous file.
  useLayoutEffect(() => {
    latestKeys.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event;
      const isInPreviewer = target instanceof Node && ref.current?.contains(target) === true;
      if (!isInPreviewer && target !== document.body) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const act = toAction(event, player.current, latestKeys.current.pauseSlideshow);
      if (!act) return;
      event.preventDefault();
      // Otherwise the browser's player would handle the same key again.
      event.stopPropagation();
      act(latestKeys.current);
    };
    // The previewer stops its events from reaching the page behind it, so the listener captures them.
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [ref, player]);
}

function toAction(
  { key, shiftKey, target }: KeyboardEvent,
  player: HTMLMediaElement | null,
  pauseSlideshow: (() => void) | undefined,
): ((keys: PreviewKeys) => void) | null {
  // The browser leaves full screen by itself.
  if (key === 'Escape') return document.fullscreenElement ? null : (keys) => (pauseSlideshow ?? keys.close)();
  if (handlesKeys(target)) return null;
  if ((key === ' ' || key === 'Enter') && handlesPress(target)) return null;
  if (key === ' ' && pauseSlideshow) return pauseSlideshow;
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
      return (keys) => keys.fitToWindow();
    case '1':
      return (keys) => keys.actualSize();
    case 'i':
      return (keys) => keys.info();
    case 'b':
      return player && ((keys) => keys.minimize());
    case 'r':
      return (keys) => keys.rotate(90);
    case 'R':
      return (keys) => keys.rotate(270);
    case 's':
      return (keys) => keys.toggleSlideshow();
    case 'Delete':
      return (keys) => keys.remove();
    case 'F2':
      return (keys) => keys.rename();
    default:
      return null;
  }
}
