/** How long typed letters belong together, in milliseconds (listing design: 800 ms). */
const pauseMs = 800;

/** Collects typed letters. Times are those of the key events, so that a busy page does not tear a word apart. */
export class TypeAhead {
  #text = '';
  #lastAtMs = Number.NEGATIVE_INFINITY;

  isActive(nowMs: number): boolean {
    return this.#text !== '' && nowMs - this.#lastAtMs < pauseMs;
  }

  /** The next letter begins a new search. */
  forget(): void {
    this.#text = '';
  }

  /** What to look for after `letter` was typed. One letter typed again and again stays one letter: it walks on. */
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
 * The position of the next name that begins with `text` (in lower case), from `start` on and then from the beginning,
 * or null. `nameAt` gives names in lower case.
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
