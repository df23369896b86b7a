import { storedText, storeText } from '../../ui/browser-storage.ts';

const storageKey = 'filestead.shell-height';

/** The smallest height, in px. */
export const minHeight = 120;
const defaultHeight = 280;

/** The largest height; the file listing keeps the rest of the window. */
export const maxHeight = (): number => Math.max(minHeight, Math.floor(window.innerHeight * 0.7));

/** Limits a height to what fits into the window. */
export const clampHeight = (height: number): number =>
  Math.round(Math.min(Math.max(height, minHeight), maxHeight()));

/** Returns the height that was chosen in this browser, or the default. */
export function loadHeight(): number {
  const stored = Number.parseFloat(storedText(storageKey) ?? '');
  return clampHeight(Number.isFinite(stored) ? stored : defaultHeight);
}

/** Saves the height in this browser. */
export const saveHeight = (height: number): void => storeText(storageKey, String(height));

/** Returns the height after a press on the edge: as large as possible, or the default if it is. */
export const toggledHeight = (height: number): number =>
  height < maxHeight() ? maxHeight() : clampHeight(defaultHeight);
