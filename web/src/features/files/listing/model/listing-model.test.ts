import { compareNames } from '@filestead/contract/paths/natural-order';
import { type EntryType, entryTypes, type ListingHeader, type ListingRow } from '@filestead/contract/files';
import type { Sorting } from '@filestead/contract/users';
import { describe, expect, test, vi } from 'vitest';
import { type EntryFields } from './entry-columns.ts';
import { ListingModel, rowBits } from './listing-model.ts';
import { generateEntries, seededRandom } from '../probe/generate-entries.ts';

const header = (rows: readonly ListingRow[], path = '/here/'): ListingHeader => {
  const numDirs = rows.filter(([, , , type]) => entryTypes[type] === '').length;
  return {
    path,
    name: 'here',
    modified: '2026-11-20T10:00:00Z',
    numDirs,
    numFiles: rows.length - numDirs,
    sorting: { by: 'name', asc: false },
    types: entryTypes,
  };
};

const folder = (name: string, modifiedMs = 0): ListingRow => [name, 4096, modifiedMs, entryTypes.indexOf('')];
const file = (name: string, size = 0, modifiedMs = 0): ListingRow => [
  name,
  size,
  modifiedMs,
  entryTypes.indexOf('text'),
];

function loaded(rows: readonly ListingRow[]): ListingModel {
  const model = new ListingModel();
  model.open(header(rows));
  model.append(rows);
  model.end();
  return model;
}

function reload(model: ListingModel, rows: readonly ListingRow[]): void {
  model.open(header(rows));
  model.append(rows);
  model.end();
}

const shown = (model: ListingModel): string[] => Array.from(model.order, (id) => model.name(id));
const selected = (model: ListingModel): string[] => model.selectedIds().map((id) => model.name(id));

function idOf(model: ListingModel, name: string): number {
  const id = model.find(name);
  if (id === null) throw new Error(`no entry is called ${name}`);
  return id;
}

const entry = (name: string, change: Partial<EntryFields> = {}): EntryFields => ({
  name,
  isFolder: false,
  isSymlink: false,
  type: 'text',
  size: 1,
  modifiedMs: 1,
  ...change,
});

describe('sorting', () => {
  const rows = [folder('a', 30), folder('b', 10), file('c', 5, 1), file('d', 9, 3), file('e', 5, 2)];
  const cases: [Sorting, string][] = [
    [{ by: 'name', asc: false }, 'a b c d e'],
    [{ by: 'name', asc: true }, 'b a e d c'],
    [{ by: 'size', asc: false }, 'a b d c e'],
    [{ by: 'size', asc: true }, 'a b c e d'],
    [{ by: 'modified', asc: false }, 'a b d e c'],
    [{ by: 'modified', asc: true }, 'b a c e d'],
  ];
  test.each(cases)('keeps folders first and ties in name order for %o', (sorting, expected) => {
    const model = loaded(rows);
    model.sort(sorting);
    expect(shown(model).join(' ')).toBe(expected);
  });

  test('orders kinds as the contract does, and restricted texts among the texts', () => {
    const named = (name: string, type: EntryType): ListingRow => [name, 0, 0, entryTypes.indexOf(type)];
    const model = loaded([
      folder('a'),
      named('b', 'pdf'),
      named('c', 'textImmutable'),
      named('d', 'image'),
      named('e', 'text'),
    ]);
    model.sort({ by: 'kind', asc: false });
    expect(shown(model).join(' ')).toBe('a c e d b');
    model.sort({ by: 'kind', asc: true });
    expect(shown(model).join(' ')).toBe('a b d c e');
  });

  test('sorts numbers that do not fit into the fast sort', () => {
    const model = loaded([file('a', 2 ** 50), file('b', 1, -5), file('c', 2 ** 45, -90)]);
    model.sort({ by: 'size', asc: false });
    expect(shown(model)).toEqual(['a', 'c', 'b']);
    model.sort({ by: 'modified', asc: true });
    expect(shown(model)).toEqual(['c', 'b', 'a']);
  });

  test('sorts like a comparison of single entries, for every order', () => {
    const { rows: many } = generateEntries(3000);
    const model = loaded(many);
    for (const by of ['name', 'size', 'modified'] as const) {
      for (const asc of [false, true]) {
        model.sort({ by, asc });
        const items = Array.from(model.order, (id) => model.item(id));
        const isUp = by === 'name' ? !asc : asc;
        const value = (item: EntryFields): number =>
          by === 'modified' ? item.modifiedMs : by === 'size' && !item.isFolder ? item.size : 0;
        const expected = items.toSorted(
          (a, b) =>
            Number(b.isFolder) - Number(a.isFolder) ||
            (by === 'name'
              ? (isUp ? 1 : -1) * compareNames(a.name, b.name)
              : (isUp ? 1 : -1) * (value(a) - value(b)) || compareNames(a.name, b.name)),
        );
        expect(items.map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
      }
    }
  });

  test('keeps selection, cursor and anchor with their entries', () => {
    const model = loaded(rows);
    model.selectOnly(idOf(model, 'd'));
    model.toggle(idOf(model, 'c'));
    model.sort({ by: 'modified', asc: true });
    expect(selected(model)).toEqual(['c', 'd']);
    expect(model.cursor).toBe(idOf(model, 'c'));
  });
});

describe('selection', () => {
  const rows = [folder('a'), file('b'), file('c'), file('d'), file('e')];

  test('selects a range from the anchor in either direction, and replaces the previous range', () => {
    const model = loaded(rows);
    model.selectOnly(idOf(model, 'c'));
    model.rangeTo(idOf(model, 'e'));
    expect(selected(model)).toEqual(['c', 'd', 'e']);
    model.rangeTo(idOf(model, 'a'));
    expect(selected(model)).toEqual(['a', 'b', 'c']);
    expect(model.anchor).toBe(idOf(model, 'c'));
  });

  test('keeps the selection when a range is added', () => {
    const model = loaded(rows);
    model.selectOnly(idOf(model, 'a'));
    model.toggle(idOf(model, 'd'));
    model.rangeTo(idOf(model, 'e'), { isAdded: true });
    expect(selected(model)).toEqual(['a', 'd', 'e']);
  });

  test('replaces, adds or inverts the selection by a marquee', () => {
    const model = loaded(rows);
    model.select([idOf(model, 'a'), idOf(model, 'b')]);
    model.beginMarquee('invert');
    model.updateMarquee([{ first: 0, last: 3 }]);
    model.updateMarquee([{ first: 1, last: 2 }]);
    expect(selected(model)).toEqual(['a', 'c']);
    model.endMarquee();
    model.beginMarquee('add');
    model.updateMarquee([{ first: 3, last: 3 }]);
    expect(selected(model)).toEqual(['a', 'c', 'd']);
    model.endMarquee();
    model.beginMarquee('replace');
    model.updateMarquee([]);
    expect(model.selectedCount).toBe(0);
  });

  test('counts the selected entries correctly after any operations', () => {
    const random = seededRandom(7);
    const model = loaded(generateEntries(200).rows);
    const any = (): number => model.idAt(Math.floor(random() * model.count)) ?? 0;
    const steps = [
      () => model.selectOnly(any()),
      () => model.toggle(any()),
      () => model.rangeTo(any()),
      () => model.rangeTo(any(), { isAdded: true }),
      () => model.selectAll(),
      () => model.clearSelection(),
      () => model.remove([any()]),
      () => model.sort({ by: random() < 0.5 ? 'size' : 'modified', asc: random() < 0.5 }),
      () => model.setPending(entry(model.name(any())), random()),
      () => model.rename(any(), `renamed ${random()}`),
      () => model.insert(entry(`new ${random()}`)),
    ];
    for (let step = 0; step < 1500; step++) {
      steps[Math.floor(random() * steps.length)]?.();
      expect(model.selectedIds()).toHaveLength(model.selectedCount);
      expect(model.order).toHaveLength(model.count);
    }
    for (let position = 0; position < model.count; position++) {
      expect(model.position(model.idAt(position) ?? -1)).toBe(position);
    }
  });
});

describe('loading', () => {
  test('shows rows while they arrive, and expects the number in the header', () => {
    const model = new ListingModel();
    const rows = [folder('a'), file('b'), file('c')];
    expect(model.phase).toBe('loading');
    model.open(header(rows));
    model.append(rows.slice(0, 2));
    expect(model.phase).toBe('streaming');
    expect(shown(model)).toEqual(['a', 'b']);
    expect(model.expectedCount).toBe(3);
    model.append(rows.slice(2));
    model.end();
    expect(model.expectedCount).toBe(3);
    expect(model.phase).toBe('ready');
  });

  test('sorts rows that arrive in another order than by name', () => {
    const model = new ListingModel();
    const rows = [file('a', 1), file('b', 9), file('c', 5)];
    model.sort({ by: 'size', asc: false });
    model.open(header(rows));
    model.append(rows.slice(0, 1));
    model.selectOnly(idOf(model, 'a'));
    model.append(rows.slice(1));
    model.end();
    expect(shown(model)).toEqual(['b', 'c', 'a']);
    expect(selected(model)).toEqual(['a']);
  });

  test('notifies listeners in steps while streaming, not for every row', () => {
    vi.useFakeTimers();
    try {
      const model = new ListingModel();
      const { rows } = generateEntries(100);
      model.open(header(rows));
      const listener = vi.fn();
      model.subscribe(listener);
      for (const row of rows) model.append([row]);
      vi.advanceTimersByTime(60);
      expect(listener.mock.calls.length).toBeLessThan(4);
      expect(model.count).toBe(100);
    } finally {
      vi.useRealTimers();
    }
  });

  test('keeps ids, selection, cursor and anchor by name on reload', () => {
    const model = loaded([folder('a'), file('b'), file('c'), file('d')]);
    model.selectOnly(idOf(model, 'c'));
    model.toggle(idOf(model, 'b'));
    const before = idOf(model, 'c');
    reload(model, [folder('a'), folder('aa'), file('b', 7), file('bb'), file('c')]);
    expect(shown(model)).toEqual(['a', 'aa', 'b', 'bb', 'c']);
    expect(selected(model)).toEqual(['b', 'c']);
    expect(idOf(model, 'c')).toBe(before);
    expect(model.cursor).toBe(idOf(model, 'b'));
    expect(model.item(idOf(model, 'b')).size).toBe(7);
  });

  test('keeps the entries until a reload is complete, and after an aborted one', () => {
    const model = loaded([file('a'), file('b')]);
    model.open(header([file('c')]));
    model.append([file('c')]);
    expect(shown(model)).toEqual(['a', 'b']);
    model.abort();
    expect(shown(model)).toEqual(['a', 'b']);
  });

  test('treats a folder with the name of a former file as another entry', () => {
    const model = loaded([file('x')]);
    model.selectOnly(idOf(model, 'x'));
    reload(model, [folder('x')]);
    expect(model.selectedCount).toBe(0);
    expect(model.isFolder(idOf(model, 'x'))).toBe(true);
  });

  test('contains exactly the arrived entries after reloads of random folders', () => {
    const random = seededRandom(11);
    const { rows } = generateEntries(400);
    const model = loaded(rows);
    for (let round = 0; round < 30; round++) {
      const some = rows.filter(() => random() < 0.7);
      model.select(Array.from(model.order).filter(() => random() < 0.3));
      const selectedBefore = selected(model);
      reload(model, some);
      expect(shown(model)).toEqual(some.map(([name]) => name));
      const names = new Set(some.map(([name]) => name));
      expect(selected(model)).toEqual(selectedBefore.filter((name) => names.has(name)));
    }
  });

  test('starts another folder without a selection', () => {
    const model = loaded([file('a')]);
    model.selectAll();
    model.open(header([file('a')], '/elsewhere/'));
    model.append([file('a')]);
    model.end();
    expect(model.selectedCount).toBe(0);
  });
});

describe('changes', () => {
  test('inserts new and renamed entries at their position in any order', () => {
    const model = loaded([folder('b'), file('photo2', 1), file('photo10', 5)]);
    model.insert(entry('photo3', { size: 3 }));
    model.insert(entry('a', { isFolder: true, type: '' }));
    expect(shown(model)).toEqual(['a', 'b', 'photo2', 'photo3', 'photo10']);
    model.sort({ by: 'size', asc: false });
    expect(shown(model)).toEqual(['a', 'b', 'photo10', 'photo3', 'photo2']);
    model.sort({ by: 'name', asc: false });
    model.rename(idOf(model, 'photo2'), 'zoo');
    expect(shown(model)).toEqual(['a', 'b', 'photo3', 'photo10', 'zoo']);
    expect(model.find('photo2')).toBeNull();
  });

  test('moves the cursor of a removed entry to the next remaining one, else to the previous', () => {
    const model = loaded([file('a'), file('b'), file('c'), file('d')]);
    const at = (name: string): number => idOf(model, name);
    model.selectOnly(at('b'));
    model.remove([at('b'), at('c')]);
    expect(model.cursor).toBe(at('d'));
    model.remove([at('d')]);
    expect(model.cursor).toBe(at('a'));
    model.remove([at('a')]);
    expect(model.cursor).toBeNull();
  });

  test('clears drag source and drop target when their entries are removed', () => {
    const model = loaded([folder('a'), folder('b'), file('c')]);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => idOf(model, name)) as [number, number, number];
    model.setDropTarget(b);
    model.setDragSource(c);
    model.remove([a]);
    expect([model.dropTarget, model.dragSource]).toEqual([b, c]);
    model.remove([b, c]);
    expect([model.dropTarget, model.dragSource]).toEqual([null, null]);
  });

  test('multi-select mode ends when the last selected entry is removed, not before', () => {
    const model = loaded([file('a'), file('b'), file('c')]);
    model.setSelecting(true);
    model.remove([idOf(model, 'a')]);
    expect(model.isSelecting).toBe(true);
    const [b, c] = [idOf(model, 'b'), idOf(model, 'c')];
    model.toggle(b);
    model.toggle(c);
    model.remove([b]);
    expect(model.isSelecting).toBe(true);
    model.remove([c]);
    expect(model.isSelecting).toBe(false);
  });

  test('notifies once per batch', () => {
    const model = loaded([file('a'), file('b')]);
    const listener = vi.fn();
    model.subscribe(listener);
    model.batch(() => {
      model.remove([idOf(model, 'a')]);
      model.insert(entry('c'));
    });
    expect(listener).toHaveBeenCalledTimes(1);
  });

  test('changes the state only of rows that look different', () => {
    const model = loaded([file('a'), file('b'), file('c')]);
    model.selectOnly(0);
    const before = [0, 1, 2].map((id) => model.rowState(id));
    model.selectOnly(1);
    const after = [0, 1, 2].map((id) => model.rowState(id));
    expect(after.map((state, id) => state !== before[id])).toEqual([true, true, false]);
    expect((after[1] ?? 0) & rowBits.selected).toBe(rowBits.selected);
  });
});

describe('uploads as rows', () => {
  test('shows uploads as rows that cannot be selected, and turns them into entries', () => {
    const model = loaded([file('a'), file('c')]);
    const id = model.setPending(entry('b', { size: 100 }), 0.25);
    expect(shown(model)).toEqual(['a', 'b', 'c']);
    expect(model.pendingPercent(id)).toBe(25);
    model.selectAll();
    expect(selected(model)).toEqual(['a', 'c']);
    model.toggle(id);
    expect(model.isSelected(id)).toBe(false);
    reload(model, [file('a'), file('c')]);
    expect(shown(model)).toEqual(['a', 'b', 'c']);
    model.completePending('b', { size: 120 });
    expect(model.pendingPercent(id)).toBeNull();
    expect(model.item(id).size).toBe(120);
  });

  test('removes the row of a failed upload, unless the entry existed before', () => {
    const model = loaded([file('a')]);
    model.setPending(entry('a'), 0);
    model.setPending(entry('b'), 0);
    model.removePending('a', { existed: true });
    model.removePending('b', { existed: false });
    expect(shown(model)).toEqual(['a']);
  });
});

test('finds the next name with a prefix, and wraps around', () => {
  const model = loaded([folder('Beta'), file('alpha'), file('Bravo')]);
  expect(model.findByPrefix('b', 0)).toBe(0);
  expect(model.findByPrefix('b', 1)).toBe(2);
  expect(model.findByPrefix('al', 2)).toBe(1);
  expect(model.findByPrefix('x', 0)).toBeNull();
});

test('sorts, selects and searches 100,000 entries', () => {
  const { rows } = generateEntries(100_000);
  const model = loaded(rows);
  model.sort({ by: 'size', asc: false });
  expect(model.order).toHaveLength(100_000);
  model.selectAll();
  expect(model.selectedCount).toBe(100_000);
  expect(model.findByPrefix('zzz', 0)).toBeNull();
});

describe('the filter', () => {
  const rows = [
    folder('Bank'),
    folder('House'),
    file('bank 2023.pdf', 3),
    file('Statement bank.pdf', 4),
    file('x.txt', 5),
  ];

  test('shows the names that contain all words, in any order and case', () => {
    const model = loaded(rows);
    model.filter(' BANK  statement');
    expect(shown(model)).toEqual(['Statement bank.pdf']);
    expect([model.count, model.numFolders, model.numFiles, model.totalCount]).toEqual([1, 0, 1, 5]);
    model.filter('bank');
    expect(shown(model)).toEqual(['Bank', 'bank 2023.pdf', 'Statement bank.pdf']);
    expect([model.count, model.numFolders, model.shownBytes]).toEqual([3, 1, 7]);
    model.filter('');
    expect(model.count).toBe(5);
  });

  test('finds hidden names, so that they count as taken', () => {
    const model = loaded(rows);
    model.filter('bank');
    expect(model.find('x.txt')).not.toBeNull();
    expect(model.position(idOf(model, 'x.txt'))).toBeNull();
  });

  test('deselects hidden entries, and "select all" selects the shown ones', () => {
    const model = loaded(rows);
    model.selectAll();
    expect(model.isAllSelected).toBe(true);
    model.filter('bank');
    expect(selected(model)).toEqual(['Bank', 'bank 2023.pdf', 'Statement bank.pdf']);
    model.filter('statement');
    model.selectAll();
    expect(selected(model)).toEqual(['Statement bank.pdf']);
    expect(model.isAllSelected).toBe(true);
    model.filter('');
    expect(selected(model)).toEqual(['Statement bank.pdf']);
    expect(model.isAllSelected).toBe(false);
  });

  test('stays when the folder is reloaded or sorted', () => {
    const model = loaded(rows);
    model.filter('bank');
    reload(model, [...rows, file('z bank.txt', 9)]);
    model.sort({ by: 'size', asc: false });
    expect(shown(model)).toEqual(['Bank', 'z bank.txt', 'Statement bank.pdf', 'bank 2023.pdf']);
  });
});

test('reports whether a folder, whose size is unknown, is selected', () => {
  const model = loaded([folder('a'), file('b', 5)]);
  model.selectOnly(idOf(model, 'b'));
  expect(model.hasSelectedFolder).toBe(false);
  model.selectAll();
  expect(model.hasSelectedFolder).toBe(true);
});

describe('a given order', () => {
  const rows = [folder('b'), file('b/x.txt'), file('c.txt')];

  test('mixes folders and files, and lists entries without a place last', () => {
    const model = loaded(rows);
    model.rank([model.find('c.txt') ?? -1, model.find('b') ?? -1]);
    expect(Array.from(model.order, (id) => model.item(id).path)).toEqual(['c.txt', 'b', 'b/x.txt']);
    expect(model.numFolders).toBe(0);
    model.selectAll();
    expect(model.hasSelectedFolder).toBe(true);
  });

  test('stays when the order of a column is chosen', () => {
    const model = loaded(rows);
    model.rank([model.find('c.txt') ?? -1, model.find('b') ?? -1]);
    model.sort({ by: 'name', asc: false });
    expect(model.item(model.idAt(0) ?? -1).path).toBe('c.txt');
  });

  test('shows the last segment of a path', () => {
    const model = loaded(rows);
    expect(model.item(model.find('b/x.txt') ?? -1)).toMatchObject({ name: 'x.txt', path: 'b/x.txt' });
    expect(model.name(model.find('b/x.txt') ?? -1)).toBe('x.txt');
  });
});

describe('sizes of folders', () => {
  const rows = [folder('a'), folder('b'), folder('c'), file('d', 30)];
  const totals = new Map([
    ['a', { bytes: 10, checkedAtMs: null }],
    ['b', { bytes: 60, checkedAtMs: 5 }],
  ]);
  const namesOf = (model: ListingModel) => Array.from(model.order, (id) => model.name(id)).join('');

  test('are absent unless they are counted, and unknown until they arrive', () => {
    const model = loaded(rows);
    expect(model.item(idOf(model, 'a')).total).toBeUndefined();
    model.expectTotals();
    expect(model.item(idOf(model, 'a')).total).toBeNull();
    model.setTotals(totals);
    expect(model.item(idOf(model, 'b')).total).toEqual({ bytes: 60, checkedAtMs: 5 });
    expect(model.item(idOf(model, 'd')).total).toBeNull();
    model.setTotals(null);
    expect(model.item(idOf(model, 'b')).total).toBeUndefined();
  });

  test('order the folders among themselves', () => {
    const model = loaded(rows);
    model.sort({ by: 'size', asc: false });
    expect(namesOf(model)).toBe('abcd');
    model.setTotals(totals);
    expect(namesOf(model)).toBe('bacd');
    model.sort({ by: 'size', asc: true });
    expect(namesOf(model)).toBe('cabd');
  });

  test('do not move rows in another order', () => {
    const model = loaded(rows);
    const { orderVersion } = model;
    model.setTotals(totals);
    expect(model.orderVersion).toBe(orderVersion);
  });

  test('count in sums once all of them are known', () => {
    const model = loaded(rows);
    model.setTotals(totals);
    expect(model.shownBytes).toBe(30);
    model.select([idOf(model, 'b'), idOf(model, 'd')]);
    expect([model.hasSelectedFolder, model.selectedBytes]).toEqual([false, 90]);
    model.select([idOf(model, 'c'), idOf(model, 'd')]);
    expect([model.hasSelectedFolder, model.selectedBytes]).toEqual([true, 30]);
    model.setTotals(new Map([...totals, ['c', { bytes: 0, checkedAtMs: null }]]));
    expect(model.shownBytes).toBe(100);
  });

  test('give each row its fraction while the rows are sorted by size', () => {
    const model = loaded(rows);
    model.setTotals(new Map([...totals, ['c', { bytes: 0, checkedAtMs: null }]]));
    expect(model.sizeFraction(idOf(model, 'b'))).toBeNull();
    const before = model.rowState(idOf(model, 'b'));
    model.sort({ by: 'size', asc: false });
    expect(model.rowState(idOf(model, 'b'))).not.toBe(before);
    expect(['a', 'b', 'c', 'd'].map((name) => model.sizeFraction(idOf(model, name)))).toEqual([
      0.1, 0.6, 0, 0.3,
    ]);
  });

  test('stay with their folders when the folder is reloaded', () => {
    const model = loaded(rows);
    model.setTotals(totals);
    reload(model, [folder('b'), folder('new')]);
    expect(model.total(idOf(model, 'b'))?.bytes).toBe(60);
    expect(model.total(idOf(model, 'new'))).toBeNull();
  });
});

test('arrivals that have gone again are not announced', () => {
  const model = loaded([file('a'), file('b')]);
  model.queueForeignChanges({ arrived: ['a', 'b'], lost: [] });
  model.remove([model.find('a') ?? -1]);
  expect(model.takeForeignChanges()).toEqual({ arrived: ['b'], lost: [] });
  expect(model.hasForeignChanges).toBe(false);
});

test('arrivals that are selected are not announced as those of others', () => {
  const model = loaded([file('a'), file('b')]);
  model.queueForeignChanges({ arrived: ['a', 'b'], lost: [] });
  model.selectOnly(model.find('b') ?? -1);
  expect(model.takeForeignChanges()).toEqual({ arrived: ['a'], lost: [] });
});
