import { expect, test } from 'vitest';
import { scripts, detectScripts } from './scripts.ts';

test('detects the scripts whose letters a font has', () => {
  const letters = new Set('AagЖяшק');
  const found = detectScripts((text) => [...text].every((letter) => letters.has(letter)));
  expect(found.map(({ language }) => language)).toEqual(['en', 'ru']);
});

test.each(scripts)('writes the sample in $language in its own script', ({ language, probe, sample }) => {
  const letters = [...(probe + sample)].filter((character) => /[\p{L}]/u.test(character));
  const patterns: Record<string, RegExp> = {
    en: /\p{Script=Latin}/u,
    el: /\p{Script=Greek}/u,
    ru: /\p{Script=Cyrillic}/u,
    he: /\p{Script=Hebrew}/u,
    ar: /\p{Script=Arabic}/u,
    hi: /\p{Script=Devanagari}/u,
    th: /\p{Script=Thai}/u,
    ja: /\p{Script=Hiragana}|\p{Script=Katakana}/u,
    ko: /\p{Script=Hangul}/u,
    'zh-Hans': /\p{Script=Han}/u,
    'zh-Hant': /\p{Script=Han}/u,
  };
  expect(letters.filter((letter) => !patterns[language]?.test(letter))).toEqual([]);
});
