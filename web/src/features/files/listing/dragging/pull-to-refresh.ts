import type { ListingSurface } from '../surface.ts';

/** The distance after which a pull reloads the folder, in px; the listing follows at half of it. */
const triggerPx = 128;
const resistance = 0.5;
/** The minimum time for which the spinner is shown, in ms, so that it is noticed. */
const minSpinnerMs = 500;

/** Reloads the folder when the listing is pulled down with a finger from its top. */
export function attachPullToRefresh(surface: ListingSurface): () => void {
  const { scroller, pull } = surface.elements;
  const listening = new AbortController();
  const { signal } = listening;
  let from: { x: number; y: number } | null = null;
  let isRunning = false;

  const show = (pulledPx: number): void => {
    const fraction = Math.min(1, pulledPx / triggerPx);
    pull.hidden = false;
    pull.style.setProperty('--pull', `${Math.min(pulledPx, triggerPx) * resistance}px`);
    pull.style.setProperty('--turn', `${fraction * 270}deg`);
    pull.toggleAttribute('data-ready', fraction === 1);
  };
  const hide = (): void => {
    pull.hidden = true;
    pull.removeAttribute('data-ready');
    pull.removeAttribute('data-running');
  };
  const refresh = async (): Promise<void> => {
    isRunning = true;
    pull.setAttribute('data-running', '');
    const delay = new Promise((resolve) => setTimeout(resolve, minSpinnerMs));
    await Promise.allSettled([surface.props().onRefresh?.(), delay]);
    isRunning = false;
    hide();
  };
  const pulledPx = (touch: Touch | undefined): number => {
    if (from === null || touch === undefined || scroller.scrollTop > 0) return 0;
    const down = touch.clientY - from.y;
    // A mostly horizontal movement is not a pull.
    return down > Math.abs(touch.clientX - from.x) ? down : 0;
  };

  scroller.addEventListener(
    'touchstart',
    ({ touches }) => {
      const [touch] = touches;
      const canPull = surface.props().onRefresh !== undefined && !isRunning && scroller.scrollTop <= 0;
      from = canPull && touches.length === 1 && touch ? { x: touch.clientX, y: touch.clientY } : null;
    },
    { signal, passive: true },
  );
  scroller.addEventListener(
    'touchmove',
    ({ touches }) => {
      const px = pulledPx(touches[0]);
      if (px > 0) show(px);
      else if (!isRunning) hide();
    },
    { signal, passive: true },
  );
  scroller.addEventListener(
    'touchend',
    ({ changedTouches }) => {
      const isFar = pulledPx(changedTouches[0]) >= triggerPx;
      from = null;
      if (isFar) void refresh();
      else if (!isRunning) hide();
    },
    { signal },
  );
  scroller.addEventListener(
    'touchcancel',
    () => {
      from = null;
      if (!isRunning) hide();
    },
    { signal },
  );
  return () => listening.abort();
}
