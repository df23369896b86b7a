import { nameOfBytes } from '@filestead/contract/paths/raw-names';
import { expect, test } from 'vitest';
import { suggestedName } from './suggested-name.ts';

const spelled = (...bytes: number[]): string => nameOfBytes(Uint8Array.from(bytes));

test.each<[string, string, string, string]>([
  ['its own name', 'café.txt', 'en', 'café.txt'],
  ['Latin-1', spelled(0x63, 0x61, 0x66, 0xe9), 'en', 'café'],
  ['Cyrillic in Russian', spelled(0xcf, 0xf0, 0xe8), 'ru', 'При'],
  ['Shift JIS with ASCII as second bytes in Japanese', spelled(0x83, 0x5c, 0x83, 0x74), 'ja', 'ソフ'],
  ['Latin-1 where the bytes are no text of the language', spelled(0x61, 0xff), 'ja', 'aÿ'],
  ['the foreign bytes only, beside letters of UTF-8', `日${spelled(0xe9)}`, 'ja', '日é'],
  ['underscores for control characters', spelled(0x61, 0x81, 0x8d), 'en', 'a__'],
])('%s is suggested', (_, name, locale, suggested) => {
  expect(suggestedName(name, locale)).toBe(suggested);
});
