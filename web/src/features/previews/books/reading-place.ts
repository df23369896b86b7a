/** Where a reader has stopped. */
export interface ReadingPlace {
  readonly part: number;
  /** How far the part was scrolled, from 0 to 1. */
  readonly share: number;
}

const key = 'filestead.reading';
const sizeKey = 'filestead.readingSize';
/** Books that are remembered. */
const most = 100;

type Places = readonly (readonly [id: string, part: number, share: number])[];

function keptPlaces(): Places {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept)
      ? (kept.filter((one) => Array.isArray(one) && one.length === 3) as Places)
      : [];
  } catch {
    return [];
  }
}

/** Where the book `id` was left in this browser, or its beginning. */
export function readingPlace(id: string): ReadingPlace {
  const found = keptPlaces().find(([one]) => one === id);
  return {
    part: Math.max(0, Number(found?.[1]) || 0),
    share: Math.min(1, Math.max(0, Number(found?.[2]) || 0)),
  };
}

/** Keeps a place, in this browser alone. */
export function keepReadingPlace(id: string, { part, share }: ReadingPlace): void {
  const others = keptPlaces().filter(([one]) => one !== id);
  store(key, JSON.stringify([[id, part, Math.round(share * 1000) / 1000], ...others].slice(0, most)));
}

/** Sizes of the letters in percent (docs/reference/filebrowser-api.md §6.6). */
export const readingSizes = [100, 110, 120, 130, 140, 150] as const;

export function readingSize(): number {
  const kept = Number(localStorage.getItem(sizeKey));
  return readingSizes.find((size) => size === kept) ?? 100;
}

export const keepReadingSize = (percent: number): void => store(sizeKey, String(percent));

function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Where the browser keeps nothing, the book opens at its beginning again.
  }
}
