/** The quality and the positions of a match of a query in a string. */
export interface FuzzyMatch {
  readonly score: number;
  /** The matching letters, as indices into the text's characters. */
  readonly positions: readonly number[];
}

/** Returns lower-case letters without accents, one per character, so that indices stay valid. */
const foldedLetters = (text: string): string[] =>
  Array.from(text, (letter) => letter.normalize('NFD').charAt(0).toLowerCase());

const isWordStart = (letters: readonly string[], at: number): boolean =>
  at === 0 || !/[\p{L}\p{N}]/u.test(letters[at - 1] ?? '');

const consecutiveScore = 8;
const wordStartScore = 10;
const gapCost = 1;

/**
 * Finds the letters of `query` in `text` in their order, not necessarily adjacent. Whole words and beginnings of words
 * score higher. Returns null if `text` does not contain them; an empty query matches everything equally.
 */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | null {
  const queryLetters = foldedLetters(query.trim()).filter((letter) => letter.trim() !== '');
  const [first] = queryLetters;
  if (first === undefined) return { score: 0, positions: [] };
  const letters = foldedLetters(text);
  let best: FuzzyMatch | null = null;
  for (const [at, letter] of letters.entries()) {
    if (letter !== first) continue;
    const match = matchFrom(queryLetters, letters, at);
    if (match && (best === null || match.score > best.score)) best = match;
  }
  return best;
}

function matchFrom(
  queryLetters: readonly string[],
  letters: readonly string[],
  start: number,
): FuzzyMatch | null {
  const positions: number[] = [];
  let score = 0;
  let at = start;
  for (const letter of queryLetters) {
    const previous = positions.at(-1);
    const index = nextIndexOf(letters, letter, at, previous);
    if (index === null) return null;
    if (isWordStart(letters, index)) score += wordStartScore;
    if (previous !== undefined && index === previous + 1) score += consecutiveScore;
    else if (previous !== undefined) score -= gapCost * Math.min(10, index - previous - 1);
    positions.push(index);
    at = index + 1;
  }
  return { score: score - start - letters.length / 100, positions };
}

/**
 * Returns the next position of `letter`: directly after the last one, else at the beginning of a word, else anywhere.
 */
function nextIndexOf(
  letters: readonly string[],
  letter: string,
  from: number,
  previous: number | undefined,
): number | null {
  if (previous !== undefined && letters[previous + 1] === letter) return previous + 1;
  const indices = [...letters.keys()].filter((at) => at >= from && letters[at] === letter);
  return indices.find((at) => isWordStart(letters, at)) ?? indices[0] ?? null;
}
