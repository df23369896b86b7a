import { Buffer } from 'node:buffer';

const star = 0x2a;
const questionMark = 0x3f;

/** Whether a byte continues a character of several bytes in UTF-8. */
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** A pattern with `*` and `?` that is compared with names in UTF-8. */
export interface NamePattern {
  /** Whether the pattern matches the whole name from `start` to `end`. */
  matches(bytes: Uint8Array, start: number, end: number): boolean;
}

/**
 * Compiles a pattern: `*` stands for any characters, `?` for one. Equal to `matchesPattern` for the text, without decoding the name. The time is
 * at most the product of both lengths.
 */
export function compilePattern(text: string): NamePattern {
  const pattern = Buffer.from(text.replaceAll(/\*+/g, '*'));
  return {
    matches(bytes, start, end) {
      let at = start;
      let next = 0;
      // The last star, and the position from which the part after it was compared last.
      let lastStar = -1;
      let retry = 0;
      while (at < end) {
        const wanted = pattern[next];
        if (wanted === star) {
          lastStar = next++;
          retry = at;
        } else if (wanted === questionMark) {
          next += 1;
          at = characterEnd(bytes, at, end);
        } else if (wanted !== undefined && wanted === bytes[at]) {
          next += 1;
          at += 1;
        } else if (lastStar >= 0) {
          retry = characterEnd(bytes, retry, end);
          at = retry;
          next = lastStar + 1;
        } else return false;
      }
      return next === pattern.length || (next === pattern.length - 1 && pattern[next] === star);
    },
  };
}

/** Returns the end of the character that begins at `position`. */
function characterEnd(bytes: Uint8Array, position: number, end: number): number {
  let at = position + 1;
  while (at < end && isContinuation(bytes[at] ?? 0)) at += 1;
  return at;
}
