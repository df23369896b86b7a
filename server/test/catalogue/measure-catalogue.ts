// Measures the catalogue of a generated tree in memory, without a disk. Usage: measure-catalogue.ts FOLDER ENTRIES. Prints JSON.
// For a tree on a disk see make-tree.ts.
import { join } from 'node:path';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { maxRecents } from '@filestead/contract/values/limits';
import { compileVisibility, type VisiblePart, type Visibility } from '../../src/access/rules/visible-part.ts';
import { ColumnsBuilder } from '../../src/catalogue/columns/build-columns.ts';
import { loadCatalogue, saveCatalogue } from '../../src/catalogue/columns/catalogue-file.ts';
import { type Columns, noEntry, rootEntry } from '../../src/catalogue/columns/columns.ts';
import { EntryVisibility } from '../../src/catalogue/entry-visibility.ts';
import { parseFind } from '../../src/catalogue/query/parse-find.ts';
import { usePoints } from '../../src/catalogue/query/rank.ts';
import { searchColumns } from '../../src/catalogue/query/search-columns.ts';
import { scannedOf, treeOf } from './large-tree.ts';
import { wholeTree } from './whole-tree.ts';

const [folder = '', count = '1000000'] = process.argv.slice(2);
const now = Math.floor(Date.now() / 1000);

/** Queries without hits, with few and many hits, of one letter and of several words, in several scripts. */
const queries = [
  'no such name',
  'zzzz',
  'report',
  'invoice 2024',
  'img_00',
  'jpg',
  'jpg img',
  'e',
  'a',
  'ts',
  'md',
  '2019',
  'müller',
  'muller rechnung pdf',
  'strasse',
  'отчёт',
  '写真',
  '보고서',
  'reprot',
  'invioce',
  'summer holiday photo',
  'ext:pdf report',
  'type:image summer',
  'size:>1k contract',
  'final -draft',
  'budget*.docx',
] as const;

const gc = (globalThis as { gc?: () => void }).gc;
function residentBytes(): number {
  gc?.();
  return process.memoryUsage().rss;
}

const before = residentBytes();
let peak = before;
const buildStart = performance.now();
const builder = new ColumnsBuilder({ maxEntries: Math.max(2_000_000, Number(count)) });
let folders = 0;
for (const each of treeOf(Number(count))) {
  builder.add(scannedOf(each, now - (folders % 1000) * 86_400), now);
  folders += 1;
  if (folders % 5_000 === 0) peak = Math.max(peak, process.memoryUsage().rss);
}
const columns = builder.finish();
const buildMs = performance.now() - buildStart;
const grown = residentBytes() - before;

/** As many recent entries as a user can have. */
const used = new Map(
  Array.from({ length: maxRecents }, (_, i) => [1 + ((i * 4999) % (columns.count - 1)), usePoints(i / 2)]),
);

function timesOf(tree: Columns, visibility: Visibility, rounds: number): number[] {
  const times: number[] = [];
  // As in the product, which keeps the visibility of a user until something changes; the first round is not measured.
  const entryVisibility = new EntryVisibility(tree, rootEntry, visibility);
  for (let round = 0; round <= rounds; round++) {
    for (const text of queries) {
      const startedAt = performance.now();
      searchColumns(
        tree,
        {
          query: parseFind(text, now),
          top: rootEntry,
          near: noEntry,
          used,
          only: null,
          limit: 200,
          sort: 'rank',
          isDescending: true,
          now,
          isStopped: () => false,
        },
        entryVisibility,
      );
      if (round > 0) times.push(performance.now() - startedAt);
    }
  }
  return times.sort((a, b) => a - b);
}
const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

const denied = [...columns.depthFirst()]
  .filter((entry) => columns.isFolder(entry) && entry % 97 === 3)
  .slice(0, 18);
const narrow: VisiblePart = {
  ...wholeTree,
  hidesDotfiles: true,
  rules: [
    ...denied.map((entry) => ({
      regex: false,
      allow: false,
      path: `/${columns.pathOf(entry)}` as VirtualPath,
      regexp: null,
    })),
    { regex: true, allow: false, path: '', regexp: { raw: '\\.key$' } },
    { regex: true, allow: false, path: '', regexp: { raw: 'secret' } },
  ],
};
const plainTimes = timesOf(columns, await compileVisibility(wholeTree), 5);
const narrowTimes = timesOf(columns, await compileVisibility(narrow), 5);

const file = join(folder, 'catalogue');
const source = { rootId: '', rules: '' };
const saveStart = performance.now();
saveCatalogue(file, source, { columns, checkedAt: now, readAt: now, isCut: false });
const saveMs = performance.now() - saveStart;
const loadStart = performance.now();
loadCatalogue(file, source);
const loadMs = performance.now() - loadStart;
const orderStart = performance.now();
columns.inOrder();
const orderMs = performance.now() - orderStart;

process.stdout.write(
  JSON.stringify({
    queries,
    entries: columns.count,
    folders,
    buildMs,
    grownBytes: grown,
    peakBytes: peak - before,
    medianMs: quantile(plainTimes, 0.5),
    p95Ms: quantile(plainTimes, 0.95),
    narrowMedianMs: quantile(narrowTimes, 0.5),
    narrowP95Ms: quantile(narrowTimes, 0.95),
    saveMs,
    loadMs,
    orderMs,
  }),
);
