const pointers = new Set<number>();
let isTracking = false;

/** Starts to track pressed pointers. Later calls do nothing. */
export function trackPointers(): void {
  if (isTracking) return;
  isTracking = true;
  const onDown = ({ pointerId }: PointerEvent): void => void pointers.add(pointerId);
  const onUp = ({ pointerId }: PointerEvent): void => void pointers.delete(pointerId);
  // `pointercancel` is sent when the browser uses the pointer for scrolling or dragging.
  const options = { capture: true, passive: true };
  document.addEventListener('pointerdown', onDown, options);
  document.addEventListener('pointerup', onUp, options);
  document.addEventListener('pointercancel', onUp, options);
}

/** Whether moving rows would disturb the user: an entry is being named, a menu is open, or a pointer is pressed. */
export const isUserBusy = (): boolean =>
  pointers.size > 0 || document.querySelector('[data-part="editor"], [role="menu"]') !== null;
