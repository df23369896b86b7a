/** The fewest letters of a word for which a typing error is allowed. */
export const minSimilarLetters = 4;

/** Whether a text that begins with `text` becomes one that begins with `word` by at most one typing error. */
function startsSimilar(word: string, text: string): boolean {
  let same = 0;
  while (same < word.length && word[same] === text[same]) same++;
  if (same >= word.length - 1) return true;
  const rest = word.slice(same);
  return (
    // Another letter, a missing letter, an additional one, two letters exchanged.
    text.startsWith(rest.slice(1), same + 1) ||
    text.startsWith(rest.slice(1), same) ||
    text.startsWith(rest, same + 1) ||
    text.startsWith(`${rest[1] ?? ''}${rest[0] ?? ''}${rest.slice(2)}`, same)
  );
}

const reversed = (text: string): string => Array.from(text).reverse().join('');

/**
 * The parts of a word one of which every name with at most one typing error contains: the first half, and the second half
 * without its first letter, which may be exchanged with the last one of the first half.
 */
export function halvesOf(word: string): readonly [first: string, second: string] {
  const letters = Array.from(word);
  const middle = letters.length >> 1;
  return [letters.slice(0, middle).join(''), letters.slice(middle + 1).join('')];
}

/** Whether a folded name contains `word` with at most one typing error. */
export function isSimilar(word: string, name: string): boolean {
  const [first, second] = halvesOf(word);
  for (let at = name.indexOf(first); at >= 0; at = name.indexOf(first, at + 1))
    if (startsSimilar(word.slice(first.length), name.slice(at + first.length))) return true;
  const backwards = reversed(word.slice(0, word.length - second.length));
  for (let at = name.indexOf(second); at >= 0; at = name.indexOf(second, at + 1))
    if (startsSimilar(backwards, reversed(name.slice(0, at)))) return true;
  return false;
}
