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

/**
 * Returns texts of which a name contains at least one if it contains `word` with at most one typing error: the error is in
 * one half, or exchanges the letters between the halves.
 */
export function piecesOf(word: string): readonly string[] {
  const { first, second, exchanged } = splitWord(word);
  return [first, second, exchanged];
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
