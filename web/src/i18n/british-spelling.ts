import type { Texts } from './english-fallback.ts';

/** The letters in which British spelling differs in words that the English texts use. */
const differences = [
  ['avorite', 'avourite'],
  ['olor', 'olour'],
  ['anceled', 'ancelled'],
  ['catalog', 'catalogue'],
  ['cognize', 'cognise'],
  ['heckered', 'hequered'],
  ['inimize', 'inimise'],
] as const;

/** Returns English texts, which have American spelling, as they are written in Great Britain and most other countries. */
export function withBritishSpelling(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([key, value]) => [
      key,
      typeof value === 'string'
        ? differences.reduce((text, [american, british]) => text.replaceAll(american, british), value)
        : withBritishSpelling(value),
    ]),
  );
}
