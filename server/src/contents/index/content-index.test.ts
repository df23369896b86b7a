import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { FileColumns } from '../../catalogue/catalogue-protocol.ts';
import { openSqlite } from '../../database/sqlite/open-sqlite.ts';
import type { PendingDocument } from '../contents-protocol.ts';
import { ContentIndex } from './content-index.ts';

let folder: string;
let file: string;
let index: ContentIndex;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'filestead-contents-'));
  file = join(folder, 'contents');
  index = ContentIndex.open(file, '/srv');
});
afterEach(() => {
  index.close();
  rmSync(folder, { recursive: true });
});

/** Files of one size; the time is the number in their name, or 1. */
const columns = (...names: string[]): FileColumns => ({
  names: names.join('\0'),
  sizes: Float64Array.from(names, () => 10),
  times: Float64Array.from(names, (name) => Number(/\d+/.exec(name)?.[0] ?? 1)),
});
const listAll = (...paths: string[]): void =>
  index.listFiles(columns(...paths), { isFirst: true, isLast: true });

/** Reads all pending documents: the text of each is its path. Returns their paths in the order of reading. */
function readAll(textOf: (document: PendingDocument) => string | null = ({ path }) => path): string[] {
  const paths: string[] = [];
  for (let next = index.next(); next.length > 0; next = index.next()) {
    for (const document of next) {
      paths.push(document.path);
      index.add(document, textOf(document), document);
    }
  }
  index.store();
  return paths;
}

const find = (expression: string, top = ''): string[] =>
  [...index.search(expression, top)].map(({ path }) => path).sort();

describe('the index', () => {
  it('reads new documents, those that were changed last first, and each once', () => {
    listAll('a/old 1.txt', 'new 9.txt', 'a/b/mid 5.txt');
    expect(index.progress()).toBe(0);
    expect(readAll()).toEqual(['new 9.txt', 'a/b/mid 5.txt', 'a/old 1.txt']);
    expect(index.progress()).toBe(1);
    listAll('a/old 1.txt', 'new 9.txt', 'a/b/mid 5.txt');
    expect(readAll()).toEqual([]);
    expect(find('"txt"')).toEqual(['a/b/mid 5.txt', 'a/old 1.txt', 'new 9.txt']);
    expect(find('"txt"', 'a')).toEqual(['a/b/mid 5.txt', 'a/old 1.txt']);
    expect(find('"txt"', 'a/b')).toEqual(['a/b/mid 5.txt']);
    expect(find('"mid" AND "txt"')).toEqual(['a/b/mid 5.txt']);
  });

  it('reads changed documents again, and forgets removed ones', () => {
    listAll('a.txt', 'b.txt');
    readAll();
    const changed = { ...columns('a.txt'), sizes: Float64Array.of(11) };
    index.listFiles(changed, { isFirst: true, isLast: true });
    expect(find('"txt"')).toEqual([]);
    expect(readAll(() => 'other words')).toEqual(['a.txt']);
    expect(find('"txt"')).toEqual([]);
    expect(find('"other words"')).toEqual(['a.txt']);
  });

  it('does not read a document again whose new state was read already', () => {
    listAll('a.txt');
    const [document] = index.next() as [PendingDocument];
    index.add(document, 'text', { size: 20, time: 30 });
    index.store();
    index.listFiles(
      { ...columns('a.txt'), sizes: Float64Array.of(20), times: Float64Array.of(30) },
      { isFirst: true, isLast: true },
    );
    expect(readAll()).toEqual([]);
    expect([...index.search('"text"', '')]).toEqual([{ path: 'a.txt', size: 20, time: 30 }]);
  });

  it('does not store the text of a document that was changed meanwhile', () => {
    listAll('a.txt');
    const [document] = index.next() as [PendingDocument];
    index.listFiles({ ...columns('a.txt'), sizes: Float64Array.of(11) }, { isFirst: true, isLast: true });
    index.add(document, 'old', document);
    index.store();
    expect(find('"old"')).toEqual([]);
    expect(readAll()).toEqual(['a.txt']);
  });

  it('compares single folders with everything below them', () => {
    listAll(
      'a.txt',
      'd/a.txt',
      'd/x/a.txt',
      'd/x-y/a.txt',
      'd/x/z/a.txt',
      'd2/a.txt',
      'd/y/a.txt',
      'é/a.txt',
    );
    readAll();
    index.listFolders([{ folder: 'd', files: columns('b.txt'), folders: ['x-y', 'y'] }]);
    expect(readAll()).toEqual(['d/b.txt']);
    expect(find('"txt"')).toEqual(['a.txt', 'd/b.txt', 'd/x-y/a.txt', 'd/y/a.txt', 'd2/a.txt', 'é/a.txt']);
    index.listFolders([{ folder: '', files: columns('a.txt'), folders: ['d2'] }]);
    expect(find('"txt"')).toEqual(['a.txt', 'd2/a.txt']);
    index.listFolders([{ folder: 'd2', files: null, folders: [] }]);
    expect(find('"txt"')).toEqual(['a.txt']);
  });

  it('follows renames of files and folders', () => {
    listAll('d/a.txt', 'd/x/b.txt', 'dd/c.txt', 'target/old.txt', 'e.txt');
    readAll();
    index.move('d', 'target');
    index.move('e.txt', 'f/g.txt');
    expect(find('"txt"')).toEqual(['dd/c.txt', 'f/g.txt', 'target/a.txt', 'target/x/b.txt']);
    listAll('target/a.txt', 'target/x/b.txt', 'dd/c.txt', 'f/g.txt');
    expect(readAll()).toEqual([]);
  });

  it('reads a document that was renamed before it could be read', () => {
    listAll('a 9.txt', 'b 8.txt');
    const [renamed, removed] = index.next() as [PendingDocument, PendingDocument];
    index.move('a 9.txt', 'c.txt');
    index.forget(renamed);
    index.forget(removed);
    expect(readAll()).toEqual(['c.txt']);
  });

  it('skips a document that needs too much time or memory, until it changes', () => {
    listAll('bomb.pdf');
    for (const document of index.next()) index.fail(document);
    expect(index.next()).toEqual([]);
    expect(index.progress()).toBe(1);
    listAll('bomb.pdf');
    expect(index.next()).toEqual([]);
    index.listFiles({ ...columns('bomb.pdf'), times: Float64Array.of(2) }, { isFirst: true, isLast: true });
    expect(readAll()).toEqual(['bomb.pdf']);
  });

  it('returns small texts together, and other documents alone', () => {
    listAll('a 9.txt', 'b 8.md', 'c 7.pdf', 'd 6.docx', 'e 5.txt', 'f 4.txt');
    const large = { ...columns('big 3.txt'), sizes: Float64Array.of(1e6) };
    index.listFolders([{ folder: 'x', files: large, folders: [] }]);
    const parts = Array.from({ length: 6 }, () => index.next().map(({ path }) => path));
    expect(parts).toEqual([
      ['a 9.txt', 'b 8.md'],
      ['c 7.pdf'],
      ['d 6.docx'],
      ['e 5.txt', 'f 4.txt'],
      ['x/big 3.txt'],
      [],
    ]);
    // Those that were not read because reading was interrupted are returned again.
    index.release();
    expect(index.next().map(({ path }) => path)).toEqual(['a 9.txt', 'b 8.md']);
  });

  it('defers a document that was being read when the server was killed, and leaves it alone after the second time', () => {
    listAll('bomb 9.pdf', 'other.txt');
    /** Another connection sees what a killed process has left. */
    const reopen = (): void => void (index = ContentIndex.open(file, '/srv'));
    const isNext = (...paths: string[]): void => expect(index.next().map(({ path }) => path)).toEqual(paths);
    isNext('bomb 9.pdf');
    reopen();
    expect(readAll()).toEqual(['other.txt']);
    expect(index.progress()).toBe(1);
    index.close();
    reopen();
    isNext('bomb 9.pdf');
    for (let i = 0; i < 2; i++) {
      reopen();
      isNext();
      index.close();
    }
    reopen();
    expect(index.progress()).toBe(1);
    isNext();
  });

  it('counts a document as waiting although another one that was deferred is gone', () => {
    listAll('bomb 9.pdf', 'other.txt');
    expect(index.next().map(({ path }) => path)).toEqual(['bomb 9.pdf']);
    index = ContentIndex.open(file, '/srv');
    expect(index.progress()).toBe(0.5);
    listAll('other.txt');
    expect(index.progress()).toBe(0);
    expect(readAll()).toEqual(['other.txt']);
    expect(index.progress()).toBe(1);
  });

  it('reads texts alone that were being read when the server was killed', () => {
    listAll('a 9.txt', 'b 8.txt', 'c 7.txt');
    expect(index.next()).toHaveLength(3);
    index = ContentIndex.open(file, '/srv');
    expect(index.next()).toEqual([]);
    index.close();
    index = ContentIndex.open(file, '/srv');
    expect(index.next().map(({ path }) => path)).toEqual(['a 9.txt']);
  });

  it('contains nothing of documents without text', () => {
    listAll('a.txt', 'b.txt');
    readAll(({ path }) => (path === 'a.txt' ? null : ' \n'));
    expect(index.progress()).toBe(1);
    expect(find('"txt"')).toEqual([]);
  });
});

test('the file of the index is private and kept over restarts', () => {
  listAll('a.txt');
  readAll();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(`${file}-wal`).mode & 0o777).toBe(0o600);
  index.close();
  index = ContentIndex.open(file, '/srv');
  expect(find('"txt"')).toEqual(['a.txt']);
});

test.each<[string, () => void]>([
  ['of another served folder', () => (index = ContentIndex.open(file, '/other'))],
  [
    'of another format',
    () => {
      const connection = openSqlite(file);
      connection.exec('PRAGMA user_version = 1000');
      connection.close();
      index = ContentIndex.open(file, '/srv');
    },
  ],
  [
    'that is damaged',
    () => {
      writeFileSync(file, 'this is not a database, but long enough to be one'.repeat(100));
      index = ContentIndex.open(file, '/srv');
    },
  ],
])('an index %s is built again', (_name, reopen) => {
  listAll('a.txt');
  readAll();
  index.close();
  reopen();
  expect(find('"txt"')).toEqual([]);
  listAll('a.txt');
  expect(readAll()).toEqual(['a.txt']);
});
