/** The longest pause between letters of one search, in ms (listing design: 800 ms). */
const maxPauseMs = 800;

/** Collects typed letters. Times are those of the key events, so that a busy page does not split a word. */
export class TypeAhead {
  #text = '';
  #lastAtMs = Number.NEGATIVE_INFINITY;

  isActive(nowMs: number): boolean {
    return this.#text !== '' && nowMs - this.#lastAtMs < maxPauseMs;
  }

  /** Makes the next letter start a new search. */
  forget(): void {
    this.#text = '';
  }

  /**
   * Adds the letter of a key press. Returns the text to search for, and the position at which the search starts if the cursor is at
   * `cursor`; null if the key is no letter. Repeating one letter continues to the next match.
   */
  add(event: KeyboardEvent, cursor: number | null): { text: string; start: number } | null {
    if (!this.#isLetter(event)) return null;
    const isContinued = this.isActive(event.timeStamp);
    this.#lastAtMs = event.timeStamp;
    const lower = event.key.toLowerCase();
    const isNewSearch = !isContinued || this.#text === lower;
    this.#text = isNewSearch ? lower : this.#text + lower;
    // A new search starts after the cursor, a longer text at the cursor.
    return { text: this.#text, start: cursor === null ? 0 : isNewSearch ? cursor + 1 : cursor };
  }

  #isLetter({ key, timeStamp, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    // A slash opens the search, and no name contains one. Hardly any name begins with a question mark, which opens the help, or with a
    // space, which selects.
    if (key === '/' || ((key === '?' || key === ' ') && !this.isActive(timeStamp))) return false;
    return Array.from(key).length === 1 && !ctrlKey && !metaKey && !altKey;
  }
}

/**
 * Returns the position of the next name that begins with `text` (in lower case), from `start` on and wrapping around,
 * or null. `nameAt` returns names in lower case.
 */
export function findByPrefix(
  text: string,
  start: number,
  count: number,
  nameAt: (position: number) => string,
): number | null {
  for (let step = 0; step < count; step++) {
    const position = (start + step) % count;
    if (nameAt(position).startsWith(text)) return position;
  }
  return null;
}
