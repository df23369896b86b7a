import type { SettingEntry } from './settings-entries.ts';

/** The maximum number of results. */
const maxResults = 12;

/** Returns a string in the form in which strings are compared: without case and diacritics. */
const folded = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase();

/** Returns a number that is lower for better matches of `words`; null if one of them does not occur. */
function rankOf(entry: SettingEntry, pageName: string, words: readonly string[]): number | null {
  const name = folded(entry.label ?? entry.section ?? pageName);
  const all = [name, ...[entry.section ?? '', entry.hint, pageName].map(folded)].join('\n');
  if (!words.every((word) => all.includes(word))) return null;
  const [first = ''] = words;
  if (words.every((word) => name.includes(word))) return name.startsWith(first) ? 0 : 1;
  return words.some((word) => name.includes(word)) ? 2 : 3;
}

/** Returns the settings whose label, help text, section or page contain all words of the query, the best first. */
export function findSettings(
  entries: readonly SettingEntry[],
  query: string,
  pageNameOf: (entry: SettingEntry) => string,
): SettingEntry[] {
  const words = folded(query).split(/\s+/u).filter(Boolean);
  if (words.length === 0) return [];
  return entries
    .flatMap((entry) => {
      const rank = rankOf(entry, pageNameOf(entry), words);
      return rank === null ? [] : [{ entry, rank }];
    })
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, maxResults)
    .map(({ entry }) => entry);
}
