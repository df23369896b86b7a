import type { Random } from '../../test/random.ts';
import type { Visibility } from '../access/rules/visible-part.ts';
import { Columns, noEntry, rootEntry } from './columns/columns.ts';
import { entryKinds, folderKind } from './columns/entry-kinds.ts';
import { EntryVisibility } from './entry-visibility.ts';
import { type FindCandidate, matchesFind } from './query/match-find.ts';
import { type FindQuery, parseFind } from './query/parse-find.ts';
import { type ColumnRow, type ColumnSearch, searchColumns } from './query/search-columns.ts';

/** Words that the names of tests consist of, in several scripts and spellings. */
export const testWords = [
  'report',
  'Report',
  'Müller',
  'Mu\u0308ller',
  'invoice',
  'IMG',
  'holiday',
  'Straße',
  '写真',
  'がく',
  'отчёт',
  '2026',
  '07',
  'a',
  'STRASSE',
  '.git',
  'x',
] as const;
const extensions = ['', '.txt', '.pdf', '.JPG', '.tar.gz', '.png'] as const;

/** A random name. */
export const randomName = (random: Random): string =>
  Array.from({ length: 1 + random.below(3) }, () => random.pick(testWords)).join(
    random.pick([' ', '_', '-', '']),
  ) + random.pick(extensions);

/** Random queries: words, phrases, patterns, excluded words and operators. */
export function randomQuery(random: Random): string {
  const part = (): string => {
    const word = random.pick(testWords).toLowerCase();
    switch (random.below(10)) {
      case 0:
        return `-${word}`;
      case 1:
        return `"${word} ${random.pick(testWords)}"`;
      case 2:
        return `*${word}*`;
      case 3:
        return `${word.slice(0, 1)}*.${random.pick(['txt', 'pdf', '???'])}`;
      case 4:
        return random.pick([
          'type:image',
          'ext:pdf',
          'kind:folder',
          'size:>500',
          'changed:<7d',
          'case:sensitive',
        ]);
      case 5:
        return random.pick(testWords);
      default:
        return word.slice(0, 1 + random.below(word.length));
    }
  };
  return Array.from({ length: random.below(4) }, part).join(' ');
}

export const testNow = 1_780_000_000;

/** The visibility of a user who may list everything. */
export const fullVisibility: Visibility = {
  allowsEverything: true,
  hidesDotfiles: false,
  allows: () => true,
  mayDenyBelow: () => false,
};

/** Searches with default options and a limit that no test reaches. */
export function searchAll(
  columns: Columns,
  query: FindQuery | string,
  options: Partial<ColumnSearch> & { readonly visibility?: Visibility } = {},
): readonly ColumnRow[] {
  const { visibility = fullVisibility, top = rootEntry, ...rest } = options;
  const search: ColumnSearch = {
    query: typeof query === 'string' ? parseFind(query, testNow) : query,
    top,
    near: noEntry,
    used: new Map(),
    only: null,
    limit: 1_000_000,
    sort: 'rank',
    isDescending: false,
    now: testNow,
    isStopped: () => false,
    ...rest,
  };
  return searchColumns(columns, search, new EntryVisibility(columns, top, visibility)).rows;
}

/** The candidates below a folder of the columns, found by walking from folder to folder. */
export function candidatesBelow(columns: Columns, top: number): { path: string; candidate: FindCandidate }[] {
  const found: { path: string; candidate: FindCandidate }[] = [];
  const visit = (folder: number, above: readonly string[]): void => {
    for (const entry of columns.children(folder)) {
      const name = columns.nameOf(entry);
      const candidate: FindCandidate = {
        name,
        above,
        kind: entryKinds[columns.kindOf(entry)] ?? 'special',
        size: columns.sizeOf(entry),
        time: columns.timeOf(entry),
      };
      found.push({ path: [...above, name].join('/'), candidate });
      if (columns.kindOf(entry) === folderKind) visit(entry, [...above, name]);
    }
  };
  visit(top, []);
  return found;
}

/** The paths of all entries for which {@link matchesFind} is true. */
export const matchingPaths = (columns: Columns, top: number, query: FindQuery): string[] =>
  candidatesBelow(columns, top)
    .filter(({ candidate }) => matchesFind(query, candidate))
    .map(({ path }) => path)
    .sort();
