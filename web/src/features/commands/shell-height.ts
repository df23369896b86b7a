const storageKey = 'filestead.shell-height';

/** In px. */
export const minHeight = 120;
const usualHeight = 280;

/** The files above keep a part of the window. */
export const maxHeight = (): number => Math.max(minHeight, Math.floor(window.innerHeight * 0.7));

/** A height that the window has room for. */
export const fittingHeight = (height: number): number =>
  Math.round(Math.min(Math.max(height, minHeight), maxHeight()));

/** The height this browser remembers. */
export function loadHeight(): number {
  let stored = Number.NaN;
  try {
    stored = Number.parseFloat(localStorage.getItem(storageKey) ?? '');
  } catch {
    // Storage is forbidden: the height lasts as long as the page.
  }
  return fittingHeight(Number.isFinite(stored) ? stored : usualHeight);
}

export function keepHeight(height: number): void {
  try {
    localStorage.setItem(storageKey, String(height));
  } catch {
    // See loadHeight.
  }
}
