import { foldUsername } from './fold-username.ts';
import { lookAlikeLetters } from './look-alike-letters.ts';

/** Letters that look like another text, with that text; ASCII letters by the same table of Unicode. */
const prototypes = new Map<string, string>([
  ['0', 'O'],
  ['1', 'l'],
  ['I', 'l'],
  ['m', 'rn'],
]);
for (const [text, codePoints] of Object.entries(lookAlikeLetters)) {
  const prototype = [...text].map((letter) => prototypes.get(letter) ?? letter).join('');
  for (const code of codePoints.split(' ')) {
    prototypes.set(String.fromCodePoint(Number.parseInt(code, 16)), prototype);
  }
}

/** The skeleton of a name (UTS #39 §4): two names with the same skeleton look the same on a screen. */
const skeletonOf = (name: string): string =>
  [...name.normalize('NFKC').normalize('NFD')].map((letter) => prototypes.get(letter) ?? letter).join('');

/** Skeletons of a name as written, in lower case and in upper case, because names may differ in case. */
const skeletonsOf = (name: string): readonly string[] => [
  skeletonOf(name),
  skeletonOf(name.toLowerCase()),
  skeletonOf(name.toUpperCase()),
];

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/**
 * Returns the first name among `others` that looks like `name`; null if there is none. Names look alike if
 * letters of another script replace some letters, such as a Cyrillic а in `admin`. Names of ASCII letters
 * only are never reported: `user1` and `userl` may be two users.
 */
export function findLookAlike(name: string, others: Iterable<string>): string | null {
  const key = foldUsername(name);
  const hasOnlyAscii = isAscii(name);
  const skeletons = skeletonsOf(name);
  for (const other of others) {
    if ((hasOnlyAscii && isAscii(other)) || foldUsername(other) === key) continue;
    if (skeletonsOf(other).some((skeleton, index) => skeleton === skeletons[index])) return other;
  }
  return null;
}
