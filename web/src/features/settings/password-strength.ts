/** A rough estimate of the effort to guess a password. */
export type Strength = 'weak' | 'fair' | 'strong';

/** Character classes in the order in which guessing programs try them, with their sizes. */
const kinds: readonly [RegExp, number][] = [
  [/[a-z]/u, 26],
  [/[A-Z]/u, 26],
  [/\d/u, 10],
  [/[ -/:-@[-`{-~]/u, 33],
  [/[^\0-\x7f]/u, 100],
];

/**
 * Rates a password by the number of guesses for its length and character classes, in bits: below 50, a single computer
 * can try them all (NIST SP 800-63B prefers length to rules). Repetitions count for little.
 */
export function strengthOf(password: string): Strength {
  const characters = [...password];
  const alphabet = kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0);
  const changes = characters.filter((character, index) => character !== characters[index - 1]).length;
  const distinct = new Set(characters).size;
  const bits = Math.min(changes, distinct * 2) * Math.log2(Math.max(2, alphabet));
  if (bits < 50) return 'weak';
  return bits < 75 ? 'fair' : 'strong';
}
