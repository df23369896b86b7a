import { expect, test } from 'vitest';
import { foldName } from './fold-name.ts';

test.each([
  ['Müller', 'Mu\u0308ller'],
  ['Straße', 'STRASSE'],
  ['İlker', 'ilker'],
  ['ＡＢＣ', 'abc'],
  ['ŁÓDŹ', 'lodz'],
  ['ΟΔΟΣ', 'οδος'],
  ['Þór', 'thor'],
])('folds %s like %s', (a, b) => {
  expect(foldName(a)).toBe(foldName(b));
});

test.each([
  ['が', 'か'],
  ['한글', '하글'],
])('keeps %s apart from %s', (a, b) => {
  expect(foldName(a)).not.toBe(foldName(b));
});

test('keeps composed Hangul composed', () => {
  expect(foldName('한글')).toBe('한글');
});
