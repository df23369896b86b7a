import { describe, expect, it } from 'vitest';
import { Columns, noEntry, rootEntry } from './columns.ts';
import { fileKind, folderKind } from './entry-kinds.ts';

const file = (name: string) => ({ name, kind: fileKind, size: 1, blocks: 8, time: 0 });

/** Columns with a folder `a` that contains `inside`, beside the files with `names`. */
function columnsWith(names: readonly string[]): Columns {
  const columns = new Columns();
  for (const name of names) columns.insert(rootEntry, file(name));
  const folder = columns.insert(rootEntry, { ...file('a'), kind: folderKind });
  columns.insert(folder, file('inside'));
  columns.endRun(folder);
  columns.endRun(rootEntry);
  columns.finishBuilding();
  return columns;
}

const namesIn = (columns: Columns, found: ReadonlyMap<string, number>): string[] =>
  [...found].map(([name, entry]) => {
    expect(columns.nameOf(entry)).toBe(name);
    return name;
  });

describe('Columns', () => {
  const names = ['x', 'X', 'Ärger.txt', 'ärger.txt', 'Straße', 'strasse', 'İ', '日本', 'last'];

  it.each(names)('finds %s among names that differ in case only', (name) => {
    const columns = columnsWith(names);
    expect(columns.nameOf(columns.find(rootEntry, name))).toBe(name);
    expect(namesIn(columns, columns.findAll(rootEntry, [name, 'missing', 'inside']))).toEqual([name]);
  });

  it('finds all names at once, also those added after it was put in order', () => {
    const columns = columnsWith(names);
    columns.insert(rootEntry, file('added'));
    const found = columns.findAll(rootEntry, ['added', ...names]);
    expect(namesIn(columns, found)).toEqual([...names, 'added']);
  });

  it('finds no removed name, and one that was renamed only by its new name', () => {
    const columns = columnsWith(names);
    columns.remove(columns.find(rootEntry, 'x'));
    columns.relocate(columns.find(rootEntry, 'last'), rootEntry, 'renamed');
    expect(columns.find(rootEntry, 'x')).toBe(noEntry);
    expect(namesIn(columns, columns.findAll(rootEntry, ['x', 'X', 'last', 'renamed']))).toEqual([
      'X',
      'renamed',
    ]);
  });
});
