import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { randomOf } from '../../../test/random.ts';
import { isSimilar, mayBeSimilarAt, piecesOf } from './similar.ts';

/** Whether the scan for the pieces of a word would offer a name. */
function isOffered(word: string, name: string): boolean {
  const names = Buffer.from(`\0${name}\0`);
  return piecesOf(word).some((piece) => {
    for (let at = names.indexOf(piece.bytes); at >= 0; at = names.indexOf(piece.bytes, at + 1))
      if (mayBeSimilarAt(names, at, piece)) return true;
    return false;
  });
}

test('every name with a typing error is offered by the scan for pieces of the word', () => {
  const random = randomOf(3);
  const letters = ['a', 'b', 'c', 'ж', '写', '𝒳', '1'];
  const textOf = (length: number): string => Array.from({ length }, () => random.pick(letters)).join('');
  let similar = 0;
  for (let round = 0; round < 4_000; round++) {
    const word = textOf(4 + random.below(4));
    const name = textOf(random.below(3)) + mistype(word) + textOf(random.below(3));
    if (!isSimilar(word, name)) continue;
    similar += 1;
    expect(isOffered(word, name), `${word} in ${name}`).toBe(true);
  }
  expect(similar).toBeGreaterThan(2_000);

  /** Returns a word with one letter exchanged, added, missing or wrong. */
  function mistype(word: string): string {
    const changed = Array.from(word);
    const at = random.below(changed.length);
    const [letter = ''] = changed.splice(at, 1);
    switch (random.below(4)) {
      case 0:
        changed.splice(at, 0, random.pick(letters));
        break;
      case 1:
        changed.splice(at, 0, letter, random.pick(letters));
        break;
      case 2:
        changed.splice(at + 1, 0, letter);
        break;
    }
    return changed.join('');
  }
});

test('most names that contain a piece of a word are not offered', () => {
  expect(['repository', 'repair 7', 'carport', 'sporty'].map((name) => isOffered('report', name))).toEqual([
    false,
    false,
    true,
    false,
  ]);
});
