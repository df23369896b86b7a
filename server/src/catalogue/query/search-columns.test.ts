import { describe, expect, test } from 'vitest';
import { cpuTimeMs } from '../../../test/cpu-time.ts';
import type { Visibility } from '../../access/rules/visible-part.ts';
import { type Random, randomOf } from '../../../test/random.ts';
import {
  candidatesBelow,
  matchingPaths,
  randomName,
  randomQuery,
  searchAll,
  testNow,
} from '../catalogue-testing.ts';
import { Columns, noEntry, rootEntry } from '../columns/columns.ts';
import { noTotals, type Totals } from '../columns/folder-columns.ts';
import { fileKind, folderKind, linkKind } from '../columns/entry-kinds.ts';
import { parseFind } from './parse-find.ts';
import { usePoints } from './rank.ts';
import { saveCatalogue, loadCatalogue } from '../columns/catalogue-file.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const dataOf = (random: Random, name: string): Parameters<Columns['insert']>[1] => {
  const kind = random.pick([fileKind, fileKind, fileKind, folderKind, linkKind]);
  return {
    name,
    kind,
    size: kind === fileKind ? random.pick([0, 0, 0, 1, 1, 500, 500, 700, 1000, 1000, 5e9, 2 ** 48]) : 0,
    blocks: kind === fileKind ? random.below(100) : 0,
    time: random.pick([0, testNow - 86_400, testNow, -11_644_473_600, 15_000_000_000]),
  };
};

/** Appends a random tree depth first. */
function build(random: Random, usesKernel = true): Columns {
  const columns = new Columns({ usesKernel });
  const fill = (folder: number, depth: number): void => {
    const names = new Set(Array.from({ length: random.below(12) }, () => randomName(random)));
    const list = [...names].map((name) => dataOf(random, name));
    for (const data of list) if (data.kind !== folderKind) columns.insert(folder, data);
    for (const data of list) {
      if (data.kind !== folderKind) continue;
      const inner = columns.insert(folder, data);
      if (depth < 5) fill(inner, depth + 1);
      columns.endRun(inner);
    }
  };
  fill(rootEntry, 0);
  columns.endRun(rootEntry);
  columns.finishBuilding();
  return columns;
}

const foldersOf = (columns: Columns): number[] =>
  [...columns.depthFirst()].filter((entry) => columns.isFolder(entry));

/** Changes the columns at random: inserts, removals, moves and updates. */
function change(columns: Columns, random: Random, times: number): void {
  for (let i = 0; i < times; i++) {
    const entries = [...columns.depthFirst()];
    const folder = random.pick(foldersOf(columns));
    const entry = random.pick(entries);
    const name = randomName(random);
    const isFree = columns.find(folder, name) === noEntry;
    switch (random.below(4)) {
      case 0:
      case 1:
        if (isFree) columns.insert(folder, dataOf(random, name));
        break;
      case 2:
        if (entry !== rootEntry && random.below(3) === 0) columns.remove(entry);
        else if (entry !== rootEntry) columns.update(entry, dataOf(random, 'x'));
        break;
      default:
        if (entry !== rootEntry && isFree && folder !== entry && !columns.isBelow(folder, entry))
          columns.relocate(entry, folder, name);
    }
  }
}

/** The totals of a folder, counted entry by entry. */
function countBelow(columns: Columns, folder: number, includesDots: boolean): Totals {
  const total = noTotals();
  for (const child of columns.children(folder)) {
    if (!includesDots && columns.isDot(child)) continue;
    if (!columns.isFolder(child)) {
      if (columns.kindOf(child) !== linkKind) total.files += 1;
      total.bytes += columns.sizeOf(child);
      total.blocks += columns.blocksOf(child);
      continue;
    }
    const inner = countBelow(columns, child, includesDots);
    total.folders += 1 + inner.folders;
    total.files += inner.files;
    total.bytes += inner.bytes;
    total.blocks += inner.blocks;
  }
  return total;
}

function assertTotals(columns: Columns): void {
  for (const folder of foldersOf(columns)) {
    const slot = columns.slotOf(folder);
    expect(columns.folders.all.at(slot)).toEqual(countBelow(columns, folder, true));
    expect(columns.folders.plain.at(slot)).toEqual(countBelow(columns, folder, false));
  }
}

/** Compares searches in the columns with the definition of a match, from several folders. */
function assertSearches(columns: Columns, random: Random): void {
  for (let i = 0; i < 25; i++) {
    const top = random.below(3) === 0 ? random.pick(foldersOf(columns)) : rootEntry;
    const text = randomQuery(random);
    const query = parseFind(text, testNow);
    const found = searchAll(columns, query, { top }).filter(({ isSimilar }) => !isSimilar);
    expect(found.map(({ path }) => path).sort(), text).toEqual(matchingPaths(columns, top, query));
  }
}

/** Saves the columns and loads them again. */
function reload(columns: Columns, usesKernel = true): Columns {
  const folder = mkdtempSync(join(tmpdir(), 'filestead-columns-'));
  try {
    const source = { rootId: '1:2', rules: '' };
    saveCatalogue(join(folder, 'file'), source, { columns, checkedAt: 5, readAt: 6, isCut: false });
    const loaded = loadCatalogue(join(folder, 'file'), source, { usesKernel });
    if (loaded === null) throw new Error('the file is missing');
    return loaded.columns;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const seeds = Array.from({ length: 6 }, (_, i) => i);

describe('random trees', () => {
  test.each(seeds)('searches and totals of a built tree equal those of a walk (seed %i)', (seed) => {
    const random = randomOf(seed);
    const columns = build(random, seed % 4 !== 0);
    assertTotals(columns);
    assertSearches(columns, random);
  });

  test.each(seeds)(
    'searches and totals stay correct after changes, a reordering and a reload (seed %i)',
    (seed) => {
      const random = randomOf(100 + seed);
      const columns = build(random);
      change(columns, random, 60);
      assertTotals(columns);
      assertSearches(columns, random);
      const paths = candidatesBelow(columns, rootEntry).sort((a, b) => (a.path < b.path ? -1 : 1));
      for (const copy of [columns.inOrder(), reload(columns, seed % 2 === 0)]) {
        expect(candidatesBelow(copy, rootEntry).sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual(paths);
        assertTotals(copy);
        assertSearches(copy, random);
        change(copy, random, 30);
        assertTotals(copy);
        assertSearches(copy, random);
      }
    },
  );
});

/** Columns of files and folders; a path that ends with a slash is a folder. */
function columnsOf(files: Readonly<Record<string, { size?: number; time?: number }>>): Columns {
  const columns = new Columns();
  columns.endRun(rootEntry);
  columns.finishBuilding();
  for (const [path, { size = 0, time = testNow - 1e8 }] of Object.entries(files)) {
    const names = path.replace(/\/$/, '').split('/');
    let folder = rootEntry;
    for (const [i, name] of names.entries()) {
      const isFolder = i < names.length - 1 || path.endsWith('/');
      const known = columns.find(folder, name);
      const kind = isFolder ? folderKind : fileKind;
      folder = known === noEntry ? columns.insert(folder, { name, kind, size, blocks: 0, time }) : known;
    }
  }
  return columns;
}

test('the best entries are found however many others the user may not list', () => {
  const columns = columnsOf({
    ...Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`secret/x${i}`, { time: testNow }])),
    'open/x old': {},
    'open/x new': { time: testNow },
    'open/xylophone': {},
  });
  const visibility: Visibility = {
    allowsEverything: false,
    hidesDotfiles: false,
    allows: (path) => !path.startsWith('secret'),
    mayDenyBelow: () => true,
  };
  for (const limit of [1, 2, 3, 20])
    expect(searchAll(columns, 'x', { visibility, limit }).map(({ path }) => path)).toEqual(
      ['open/x new', 'open/x old', 'open/xylophone'].slice(0, limit),
    );
});

const pathsOf = (columns: Columns, query: string, options: Parameters<typeof searchAll>[2] = {}): string[] =>
  searchAll(columns, query, options).map(({ path }) => path);

test('ranks whole names before beginnings, beginnings of words and the rest', () => {
  const columns = columnsOf({
    'unreported.txt': {},
    'my report.txt': {},
    'report two.txt': {},
    'report.txt': {},
    'myReport.txt': {},
  });
  expect(pathsOf(columns, 'report')).toEqual([
    'report.txt',
    'report two.txt',
    'myReport.txt',
    'my report.txt',
    'unreported.txt',
  ]);
});

test('ranks recently changed entries and folders first among equals', () => {
  const columns = columnsOf({ 'a old': {}, 'a new': { time: testNow }, 'a dir/': {} });
  expect(pathsOf(columns, 'a')).toEqual(['a new', 'a dir', 'a old']);
});

test('finds words in the names of folders above, but at least one in the name itself', () => {
  const columns = columnsOf({ 'Müller/2026/Rechnung.pdf': {}, 'Müller/note': {}, rechnung: {} });
  expect(pathsOf(columns, 'muller rechnung pdf')).toEqual(['Müller/2026/Rechnung.pdf']);
  expect(pathsOf(columns, 'muller 2026')).toEqual(['Müller/2026']);
});

test.each(['reprot', 'reporz', 'repor', 'reportt', 'rport', 'repxrt'])(
  'finds “report” despite the typing error in %s',
  (word) => {
    const columns = columnsOf({ 'Annual Report.pdf': {}, 'other.txt': {} });
    expect(searchAll(columns, word).map(({ path, isSimilar }) => [path, isSimilar])).toEqual([
      ['Annual Report.pdf', !'report'.includes(word)],
    ]);
  },
);

test('finds no name with a typing error in a short word, or with two of them', () => {
  const columns = columnsOf({ abc: {}, 'report.txt': {} });
  expect(pathsOf(columns, 'abd')).toEqual([]);
  expect(pathsOf(columns, 'rxpxrt')).toEqual([]);
});

test('finds no other number for a number', () => {
  const columns = columnsOf({ 'statement 2022': {}, 'statement 2023': {} });
  expect(pathsOf(columns, 'statement 2023')).toEqual(['statement 2023']);
  expect(pathsOf(columns, 'statemant 2023')).toEqual(['statement 2023']);
});

test('sorts by size, time and name', () => {
  const columns = columnsOf({
    b: { size: 1, time: 30 },
    a: { size: 3, time: 10 },
    a10: { size: 2, time: 20 },
    a2: { size: 9, time: 5 },
  });
  expect(pathsOf(columns, '', { sort: 'size', isDescending: true })).toEqual(['a2', 'a', 'a10', 'b']);
  expect(pathsOf(columns, '', { sort: 'modified', limit: 2 })).toEqual(['a2', 'a']);
  expect(pathsOf(columns, '', { sort: 'name' })).toEqual(['a', 'a2', 'a10', 'b']);
  expect(pathsOf(columns, '', { sort: 'name', isDescending: true, limit: 2 })).toEqual(['b', 'a10']);
});

test('pages of equally good entries neither overlap nor have gaps', () => {
  const names = Array.from({ length: 25 }, (_, index) => `IMG_${(index * 7) % 25}.jpg`);
  const columns = columnsOf(Object.fromEntries(names.map((name) => [name, { size: 7, time: 30 }])));
  const visibility: Visibility = {
    allowsEverything: false,
    hidesDotfiles: false,
    allows: (path) => path !== 'IMG_3.jpg',
    mayDenyBelow: () => true,
  };
  for (const options of [{}, { visibility }]) {
    const pages = [0, 10, 20].map((offset) =>
      pathsOf(columns, '', { sort: 'modified', isDescending: true, limit: 10, offset, ...options }),
    );
    const shown = names.filter((name) => !('visibility' in options) || name !== 'IMG_3.jpg');
    expect(pages.flat().toSorted()).toEqual(shown.toSorted());
  }
});

test.each(seeds)(
  'a page of the best has the first of all results, whatever is left out (seed %i)',
  (seed) => {
    const random = randomOf(200 + seed);
    const columns = new Columns({ usesKernel: seed % 3 !== 0 });
    const dataOfFile = (): Parameters<Columns['insert']>[1] => {
      const words = Array.from({ length: 1 + random.below(8) }, () =>
        random.pick(['img', 'Img', 'ximg', 'of']),
      );
      return {
        name: `${words.join(random.pick([' ', '', '-']))}${random.below(1e6)}.jpg`,
        kind: random.pick([fileKind, fileKind, fileKind, folderKind]),
        size: 0,
        blocks: 0,
        time: testNow - 86_400 * (30 + random.below(1_500)),
      };
    };
    for (let i = 0; i < 4_000; i++) {
      const data = dataOfFile();
      const entry = columns.insert(rootEntry, data);
      if (data.kind === folderKind) columns.endRun(entry);
    }
    columns.endRun(rootEntry);
    columns.finishBuilding();
    // Some become newer, and some move into folders.
    const entries = [...columns.depthFirst()].filter((entry) => entry !== rootEntry);
    const folders = foldersOf(columns);
    for (let i = 0; i < 10; i++)
      columns.update(random.pick(entries), { ...dataOfFile(), time: testNow - random.below(86_400) });
    for (let i = 0; i < 200; i++) columns.insert(random.pick(folders), dataOfFile());
    const used = new Map(Array.from({ length: 30 }, (_, days) => [random.pick(entries), usePoints(days)]));
    const options = { used, near: seed % 2 === 0 ? noEntry : random.pick(folders), offset: 0 };
    for (const copy of [columns, reload(columns)])
      for (const query of ['img', 'mg', 'jpg', 'of', 'img of', '*.jpg', 'Img*7', 'case:yes Img'])
        expect(pathsOf(copy, query, { ...options, limit: 20 }), query).toEqual(
          pathsOf(copy, query, options).slice(0, 20),
        );
  },
);

test('entries that the user may not list do not count as further results', () => {
  const columns = columnsOf({ x1: {}, x2: {}, 'secret/x3': {}, 'secret/x4': {} });
  const visibility: Visibility = {
    allowsEverything: false,
    hidesDotfiles: false,
    allows: (path) => !path.startsWith('secret'),
    mayDenyBelow: () => true,
  };
  expect(pathsOf(columns, 'x', { visibility })).toEqual(['x1', 'x2']);
  expect(pathsOf(columns, 'x', { visibility, limit: 2 })).toEqual(['x1', 'x2']);
});

test.each([
  '*****',
  '?',
  '"',
  '-',
  '\0',
  '\ud800',
  'ext:',
  'a '.repeat(200),
  '*a*a*a*a*a*b',
  'size:x changed:y',
])('answers the hostile query %j within two seconds of processor time', (query) => {
  const columns = new Columns();
  for (let i = 0; i < 3_000; i++)
    columns.insert(rootEntry, {
      name: `${'a'.repeat(200)}${i}`,
      kind: fileKind,
      size: 0,
      blocks: 0,
      time: 0,
    });
  columns.endRun(rootEntry);
  columns.finishBuilding();
  expect(cpuTimeMs(() => void searchAll(columns, query))).toBeLessThan(2_000);
});
