/**
 * Texts and values that the page stores in the browser. Storage may be forbidden or full: then nothing is stored, and choices last as long as
 * the page.
 */

/** `browser`: for all tabs, until it is deleted; `tab`: until the tab is closed. */
type StorageArea = 'browser' | 'tab';

const storageOf = (area: StorageArea): Storage => (area === 'tab' ? sessionStorage : localStorage);

/** Returns the stored text; null if there is none. */
export function storedText(key: string, area: StorageArea = 'browser'): string | null {
  try {
    return storageOf(area).getItem(key);
  } catch {
    return null;
  }
}

/** Returns the stored value; null if there is none or it is no JSON. */
export function storedJson(key: string, area: StorageArea = 'browser'): unknown {
  try {
    return JSON.parse(storedText(key, area) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a string; null deletes the stored one. */
export function storeText(key: string, text: string | null, area: StorageArea = 'browser'): void {
  try {
    if (text === null) storageOf(area).removeItem(key);
    else storageOf(area).setItem(key, text);
  } catch {
    // Storage is forbidden or full.
  }
}

/** Stores a value as JSON. */
export const storeJson = (key: string, value: unknown, area: StorageArea = 'browser'): void =>
  storeText(key, JSON.stringify(value), area);
