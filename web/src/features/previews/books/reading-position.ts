import { storedJson, storedText, storeJson, storeText } from '../../../ui/browser-storage.ts';

/** A reading position. */
export interface ReadingPosition {
  readonly part: number;
  /** The scroll position within the part, from 0 to 1. */
  readonly fraction: number;
}

const key = 'filestead.reading';
const sizeKey = 'filestead.readingSize';
/** Maximum number of remembered books. */
const maxBooks = 100;

type Positions = readonly (readonly [id: string, part: number, fraction: number])[];

function storedPositions(): Positions {
  const stored = storedJson(key);
  return Array.isArray(stored)
    ? (stored.filter((entry) => Array.isArray(entry) && entry.length === 3) as Positions)
    : [];
}

/** Returns the position at which the book `id` was left in this browser, or its beginning. */
export function loadReadingPosition(id: string): ReadingPosition {
  const stored = storedPositions().find(([storedId]) => storedId === id);
  return {
    part: Math.max(0, Number(stored?.[1]) || 0),
    fraction: Math.min(1, Math.max(0, Number(stored?.[2]) || 0)),
  };
}

/** Saves a reading position, in this browser only. */
export function saveReadingPosition(id: string, { part, fraction }: ReadingPosition): void {
  const others = storedPositions().filter(([storedId]) => storedId !== id);
  storeJson(key, [[id, part, Math.round(fraction * 1000) / 1000], ...others].slice(0, maxBooks));
}

/** Font sizes in percent (docs/reference/filebrowser-api.md §6.6). */
export const readingSizes = [100, 110, 120, 130, 140, 150] as const;

/** Returns the font size that was chosen in this browser, in percent. */
export function loadFontSize(): number {
  const stored = Number(storedText(sizeKey));
  return readingSizes.find((size) => size === stored) ?? 100;
}

/** Saves the chosen font size. */
export const saveFontSize = (percent: number): void => storeText(sizeKey, String(percent));
