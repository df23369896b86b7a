/** A rectangle on the screen, in CSS pixels. */
export type ScreenBox = Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>;

/** The duration with which dialogs of the design open. */
const durationMs = 240;
const easing = 'cubic-bezier(0.2, 0, 0, 1)';

/** Animates an element from the position of its thumbnail. Does nothing for users who prefer reduced motion. */
export function growFrom(element: HTMLElement, from: ScreenBox): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches || typeof element.animate !== 'function') return;
  const to = element.getBoundingClientRect();
  if (to.width === 0 || from.width === 0) return;
  const scale = Math.max(from.width / to.width, from.height / to.height);
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  element.animate(
    [
      { translate: `${x}px ${y}px`, scale: String(scale), opacity: 0.6 },
      { translate: '0 0', scale: '1', opacity: 1 },
    ],
    { duration: durationMs, easing },
  );
}
