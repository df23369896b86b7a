import { nameOfBytes } from '@filestead/contract/paths/raw-names';
import { expect, test } from 'vitest';
import { suggestedName } from './suggested-name.ts';

const nameFrom = (...bytes: number[]): string => nameOfBytes(Uint8Array.from(bytes));

test.each<[string, string, string, string]>([
  ['its own name for a valid name', 'café.txt', 'en', 'café.txt'],
  ['Latin-1', nameFrom(0x63, 0x61, 0x66, 0xe9), 'en', 'café'],
  ['Cyrillic in Russian', nameFrom(0xcf, 0xf0, 0xe8), 'ru', 'При'],
  ['Shift JIS with ASCII as second bytes in Japanese', nameFrom(0x83, 0x5c, 0x83, 0x74), 'ja', 'ソフ'],
  ["Latin-1 for bytes that are invalid in the language's encoding", nameFrom(0x61, 0xff), 'ja', 'aÿ'],
  ['only the invalid bytes beside UTF-8 letters', `日${nameFrom(0xe9)}`, 'ja', '日é'],
  ['underscores for control characters', nameFrom(0x61, 0x81, 0x8d), 'en', 'a__'],
])('suggests %s', (_, name, locale, suggested) => {
  expect(suggestedName(name, locale)).toBe(suggested);
});
