import { foldUsername } from './fold-username.ts';
import { lookAlikeLetters } from './look-alike-letters.ts';

/** Every letter that looks like another text, with that text; the ASCII ones by the same table of Unicode. */
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

/** What a name looks like (UTS #39 §4): two names with the same skeleton can hardly be told apart on a screen. */
const skeletonOf = (name: string): string =>
  [...name.normalize('NFKC').normalize('NFD')].map((letter) => prototypes.get(letter) ?? letter).join('');

/** The skeletons of a name as it is written, in small and in capital letters, for names differ in case as well. */
const skeletonsOf = (name: string): readonly string[] => [
  skeletonOf(name),
  skeletonOf(name.toLowerCase()),
  skeletonOf(name.toUpperCase()),
];

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/**
 * Finds the names among `others` that `name` could be taken for: letters of other scripts stand in one of them for letters of
 * the other, such as a Cyrillic а in `admin`. Names of ASCII letters only are never taken for each other: `user1` and
 * `userl` are both somebody's. Returns the first one; null when there is none.
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
