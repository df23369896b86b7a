import { expect, test } from 'vitest';
import { splitName } from './split-name.ts';

test.each([
  ['short.txt', 'short.txt', ''],
  ['a very long name of a photograph 0042.jpg', 'a very long name of a photograph ', '0042.jpg'],
  ['a very long name without an extension', 'a very long name without an exten', 'sion'],
  ['.a-dotfile-with-quite-a-long-name-of-its-own', '.a-dotfile-with-quite-a-long-name-of-its', '-own'],
  ['name.with-a-very-long-last-part-of-it', 'name.with-a-very-long-last-part-o', 'f-it'],
])('splits %s', (name, start, end) => {
  expect(splitName(name)).toEqual({ start, end });
});

test('loses nothing and splits no character', () => {
  const names = [
    'a family on a beach at sunset 👨‍👩‍👧‍👦.jpg',
    'a thumb of the hand, pointing up 👍🏽👍🏽.png',
    'une photo de la fe\u0302te e\u0301te\u0301e\u0301.jpg',
    'ein sehr langer Name mit 𝒜𝒜𝒜𝒜 am Ende',
  ];
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const name of names) {
    const { start, end } = splitName(name);
    expect(start + end).toBe(name);
    const graphemes = Array.from(segmenter.segment(name), ({ segment }) => segment);
    const parts = [start, end].flatMap((part) =>
      Array.from(segmenter.segment(part), ({ segment }) => segment),
    );
    expect(parts).toEqual(graphemes);
  }
});
