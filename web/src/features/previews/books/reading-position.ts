/** A reading position. */
export interface ReadingPosition {
  readonly part: number;
  /** The scroll position within the part, from 0 to 1. */
  readonly share: number;
}

const key = 'filestead.reading';
const sizeKey = 'filestead.readingSize';
/** Maximum number of remembered books. */
const maxBooks = 100;

type Positions = readonly (readonly [id: string, part: number, share: number])[];

function storedPositions(): Positions {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored)
      ? (stored.filter((entry) => Array.isArray(entry) && entry.length === 3) as Positions)
      : [];
  } catch {
    return [];
  }
}

/** Returns the position at which the book `id` was left in this browser, or its beginning. */
export function loadReadingPosition(id: string): ReadingPosition {
  const stored = storedPositions().find(([storedId]) => storedId === id);
  return {
    part: Math.max(0, Number(stored?.[1]) || 0),
    share: Math.min(1, Math.max(0, Number(stored?.[2]) || 0)),
  };
}

/** Saves a reading position, in this browser only. */
export function saveReadingPosition(id: string, { part, share }: ReadingPosition): void {
  const others = storedPositions().filter(([storedId]) => storedId !== id);
  store(key, JSON.stringify([[id, part, Math.round(share * 1000) / 1000], ...others].slice(0, maxBooks)));
}

/** Font sizes in percent (docs/reference/filebrowser-api.md §6.6). */
export const readingSizes = [100, 110, 120, 130, 140, 150] as const;

/** Returns the font size that was chosen in this browser, in percent. */
export function loadFontSize(): number {
  const stored = Number(localStorage.getItem(sizeKey));
  return readingSizes.find((size) => size === stored) ?? 100;
}

/** Saves the chosen font size. */
export const saveFontSize = (percent: number): void => store(sizeKey, String(percent));

function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Without storage the book opens at its beginning.
  }
}
