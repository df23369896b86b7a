import { lazyPart } from '../../../../ui/overlays/lazy-part.ts';
import { isControl, type ListingSurface, partOfTarget } from '../surface.ts';
import type { Marquee } from './marquee.ts';

const marqueePart = lazyPart(() => import('./marquee.ts'));

/** Whether a press here starts a drag of the entry. Anywhere else it starts a marquee. */
function isDragHandle(target: EventTarget | null): boolean {
  const part = partOfTarget(target);
  return part === 'name' || part === 'icon';
}

/** Begins a marquee where the mouse is pressed. Its code is fetched when a pointer is first over the listing. */
export function attachMarquee(surface: ListingSurface): () => void {
  const { root } = surface.elements;
  const listening = new AbortController();
  const { signal } = listening;
  let running: Marquee | null = null;
  /** The press that waits for the code. */
  let waiting: PointerEvent | null = null;
  const begin = (): void => {
    const code = marqueePart.peek();
    if (code === null || waiting === null) return;
    running = new code.Marquee(surface, waiting, () => (running = null));
    waiting = null;
  };
  // Without the marquee the listing works; the next press tries again.
  const load = (): void => void marqueePart.load().then(begin, () => undefined);

  root.addEventListener('pointerover', load, { once: true, signal });
  root.addEventListener(
    'mousedown',
    (event) => {
      if (event.button !== 0 || isControl(event.target) || isDragHandle(event.target)) return;
      const isOnContent = surface.isOnContent({ x: event.clientX, y: event.clientY });
      // Prevents the browser's own drag of the row and its text selection.
      if (isOnContent) event.preventDefault();
    },
    { signal },
  );
  root.addEventListener(
    'pointerdown',
    (event) => {
      const isLeftMouse = event.pointerType === 'mouse' && event.button === 0;
      const part = partOfTarget(event.target);
      if (!isLeftMouse || isControl(event.target) || isDragHandle(event.target)) return;
      if (part === 'check' || part === 'menu') return;
      if (!surface.isOnContent({ x: event.clientX, y: event.clientY })) return;
      running?.finish();
      waiting = event;
      if (marqueePart.peek() === null) load();
      else begin();
    },
    { signal },
  );
  window.addEventListener('pointerup', () => (waiting = null), { signal });
  return () => {
    waiting = null;
    running?.finish();
    listening.abort();
  };
}
