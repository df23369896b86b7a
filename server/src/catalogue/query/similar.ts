import { Buffer } from 'node:buffer';

/** The fewest letters of a word for which a typing error is allowed. */
const minSimilarLetters = 4;

/** Whether a typing error is allowed in a word. A year or another number with a wrong digit is a different number. */
export const mayBeSimilar = (word: string): boolean =>
  (word.match(/[\p{L}\p{M}]/gu)?.length ?? 0) >= minSimilarLetters;

/** Whether a string that begins with `text` becomes one that begins with `word` by at most one typing error. */
function startsSimilar(word: string, text: string): boolean {
  let same = 0;
  while (same < word.length && word[same] === text[same]) same++;
  if (same >= word.length - 1) return true;
  const rest = word.slice(same);
  return (
    // A wrong letter, an additional one, a missing one, two letters exchanged.
    text.startsWith(rest.slice(1), same + 1) ||
    text.startsWith(rest.slice(1), same) ||
    text.startsWith(rest, same + 1) ||
    text.startsWith(`${rest[1] ?? ''}${rest[0] ?? ''}${rest.slice(2)}`, same)
  );
}

const reversed = (text: string): string => Array.from(text).reverse().join('');

/** The halves of a word, and the word with the letters between them exchanged. */
function splitWord(word: string): { first: string; second: string; exchanged: string } {
  const letters = Array.from(word);
  const middle = letters.length >> 1;
  const first = letters.slice(0, middle);
  const second = letters.slice(middle);
  const exchanged = [...first.slice(0, -1), second[0], first.at(-1), ...second.slice(1)].join('');
  return { first: first.join(''), second: second.join(''), exchanged };
}

/** A part of a word that is contained in every name with a certain kind of typing error, and the rest of the word. */
export interface WordPiece {
  readonly bytes: Buffer;
  /** The bytes of the rest, from the piece outwards. */
  readonly rest: Buffer;
  /** Where the rest is: behind the piece (1), in front of it (-1), or nowhere (0): the piece is the whole word with a typing error. */
  readonly direction: 1 | -1 | 0;
}

/**
 * Returns texts of which a name contains at least one if it contains `word` with at most one typing error: the error is in
 * one half, or exchanges the letters between the halves.
 */
export function piecesOf(word: string): readonly WordPiece[] {
  const { first, second, exchanged } = splitWord(word);
  return [
    { bytes: Buffer.from(first), rest: Buffer.from(second), direction: 1 },
    { bytes: Buffer.from(second), rest: Buffer.from(first).reverse(), direction: -1 },
    { bytes: Buffer.from(exchanged), rest: Buffer.alloc(0), direction: 0 },
  ];
}

/**
 * Whether the rest of a word may be beside its piece at a position of folded names, with at most one typing error. Much cheaper than
 * {@link isSimilar}, which decides. Letters beyond ASCII have several bytes and are not compared.
 */
export function mayBeSimilarAt(names: Uint8Array, position: number, piece: WordPiece): boolean {
  const { rest, direction, bytes } = piece;
  if (direction === 0) return true;
  const from = direction > 0 ? position + bytes.length : position - 1;
  const { length } = rest;
  let same = 0;
  while (same < length && names[from + direction * same] === rest[same]) same++;
  if (same >= length - 1) return true;
  for (let i = same; i <= length; i++)
    if ((names[from + direction * i] ?? 0) >= 0x80 || (rest[i] ?? 0) >= 0x80) return true;
  // A wrong letter, a missing one, an additional one, two letters exchanged.
  if (isRestAt(names, from, piece, same + 1)) return true;
  if (isRestAt(names, from - direction, piece, same + 1)) return true;
  if (isRestAt(names, from + direction, piece, same)) return true;
  return (
    names[from + direction * same] === rest[same + 1] &&
    names[from + direction * (same + 1)] === rest[same] &&
    isRestAt(names, from, piece, same + 2)
  );
}

/** Whether the rest of a word from its byte `first` on is in the names, if its first byte is at `from`. */
function isRestAt(names: Uint8Array, from: number, { rest, direction }: WordPiece, first: number): boolean {
  for (let i = first; i < rest.length; i++) if (names[from + direction * i] !== rest[i]) return false;
  return true;
}

/** Whether a folded name contains `word` with at most one typing error. */
export function isSimilar(word: string, name: string): boolean {
  const { first, second, exchanged } = splitWord(word);
  if (name.includes(exchanged)) return true;
  for (let at = name.indexOf(first); at >= 0; at = name.indexOf(first, at + 1))
    if (startsSimilar(second, name.slice(at + first.length))) return true;
  const backwards = reversed(first);
  for (let at = name.indexOf(second); at >= 0; at = name.indexOf(second, at + 1))
    if (startsSimilar(backwards, reversed(name.slice(0, at)))) return true;
  return false;
}
