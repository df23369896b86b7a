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

  /** Returns the text to search for after `letter` was typed. Repeating one letter continues to the next match. */
  type(letter: string, nowMs: number): { text: string; isNewSearch: boolean } {
    const isContinued = this.isActive(nowMs);
    this.#lastAtMs = nowMs;
    const lower = letter.toLowerCase();
    if (isContinued && this.#text !== lower) {
      this.#text += lower;
      return { text: this.#text, isNewSearch: false };
    }
    this.#text = lower;
    return { text: lower, isNewSearch: true };
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
