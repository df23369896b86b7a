import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type {
  ScanMessage,
  ScannedFolder,
  ScanRequest,
  WatchedChanges,
} from '../storage/disk/scan/scan-protocol.ts';
import { wholeTree } from '../../test/catalogue/whole-tree.ts';
import { CatalogueEngine } from './catalogue-engine.ts';
import type { FromCatalogue } from './catalogue-protocol.ts';
import { parseFind } from './query/parse-find.ts';

/** The entries of a folder: names that end with a slash are folders. */
function folder(path: string, names: readonly string[]): ScannedFolder {
  const columns = names.map(() => 0);
  return {
    path,
    state: 'read',
    modified: Number.NaN,
    time: 1,
    names: names.map((name) => name.replace('/', '')).join('\0'),
    kinds: Uint8Array.from(names, (name) => (name.endsWith('/') ? 1 : 0)),
    sizes: Float64Array.from(columns),
    blocks: Float64Array.from(columns),
    times: Float64Array.from(columns),
  };
}

/** Opens an engine whose readings are answered by the test. */
function open({
  maxEntries = 1000,
  file = join(tmpdir(), 'filestead-no-such-folder', 'catalogue'),
  reportsChanges = false,
} = {}): {
  engine: CatalogueEngine;
  /** The paths in the catalogue. */
  paths: () => Promise<string[]>;
  requests: ScanRequest[];
  answer: (id: number, folders: readonly ScannedFolder[], isEnd?: boolean) => void;
  /** Reports changes of watched folders. */
  report: (changes: WatchedChanges) => void;
  /** The names of the folders in the root. */
  foldersInRoot: () => readonly string[];
  isSettled: () => boolean;
  /** The folders that were reported since the last call; null for all. */
  reported: () => readonly string[] | null;
  /** Runs what is due later. */
  runLater: () => void;
} {
  const requests: ScanRequest[] = [];
  const posted: FromCatalogue[] = [];
  let later: (() => void)[] = [];
  let listener: (message: ScanMessage) => void = () => undefined;
  const port = {
    postMessage: (request: ScanRequest): void => void requests.push(request),
    on: (_event: 'message', added: typeof listener): void => void (listener = added),
  };
  const engine = new CatalogueEngine(
    {
      kind: 'start',
      scan: port as never,
      source: { rootId: '1:1', rules: '' },
      file,
      maxEntries,
      reportsChanges,
      maxWatches: 0,
    },
    port,
    {
      post: (message) => void posted.push(message),
      now: Date.now,
      after(_delayMs, work) {
        later.push(work);
        return () => (later = later.filter((other) => other !== work));
      },
    },
  );
  engine.open();
  return {
    engine,
    requests,
    async paths() {
      engine.handle({
        kind: 'find',
        id: 1,
        stop: new SharedArrayBuffer(4),
        now: 0,
        visible: wholeTree,
        query: parseFind('', 0),
        near: null,
        used: [],
        only: null,
        limit: 1000,
        sort: 'name',
        isDescending: false,
      });
      await expect.poll(() => posted.some(({ kind }) => kind === 'found')).toBe(true);
      const found = posted.find((message) => message.kind === 'found');
      posted.length = 0;
      return found?.kind === 'found' ? found.rows.map(({ path }) => path).sort() : [];
    },
    answer(id, folders, isEnd = true) {
      listener({ kind: 'folders', id, folders });
      if (isEnd) listener({ kind: 'end', id });
    },
    report: (changes) => listener({ kind: 'changes', ...changes }),
    foldersInRoot() {
      engine.handle({ kind: 'folderFiles', id: 0, folders: [''] });
      const response = posted.at(-1);
      return response?.kind === 'folderFiles' ? (response.folders[0]?.folders ?? []) : [];
    },
    isSettled() {
      engine.handle({ kind: 'settled', id: 0 });
      const response = posted.at(-1);
      return response?.kind === 'settled' && response.isSettled;
    },
    reported() {
      const reports = posted.splice(0).filter((message) => message.kind === 'changed');
      const folders = reports.map((report) => report.folders);
      return folders.includes(null) ? null : folders.flatMap((some) => some ?? []);
    },
    runLater() {
      for (const work of later.splice(0)) work();
    },
  };
}

it('reads a new folder again that was moved while it was being read', () => {
  const { engine, requests, answer } = open();
  answer(1, [folder('', ['docs/']), folder('docs', [])]);
  engine.handle({ kind: 'changed', paths: [''], isDeep: false });
  answer(2, [folder('', ['docs/', 'new/'])]);
  expect(requests.at(-1)).toMatchObject({ kind: 'read', paths: ['new'], isDeep: true });
  engine.handle({ kind: 'moved', from: 'new', to: 'docs/moved' });
  expect(requests.at(-1)).toMatchObject({ kind: 'read', paths: ['docs/moved'], isDeep: true });
});

it('reads only the changed entries of a known folder', () => {
  const { engine, requests, answer } = open();
  answer(1, [folder('', ['docs/']), folder('docs', ['a', 'b'])]);
  engine.handle({ kind: 'changedNames', path: 'docs', names: ['b', 'c'] });
  expect(requests.at(-1)).toMatchObject({ kind: 'readNames', path: 'docs', names: ['b', 'c'] });
  engine.handle({ kind: 'changedNames', path: 'unknown/inner', names: ['b'] });
  expect(requests.at(-1)).toMatchObject({ kind: 'read', paths: [''], isDeep: false });
});

it('contains a folder once whose parent changed while the catalogue was built', () => {
  const { engine, requests, answer, foldersInRoot } = open();
  answer(1, [folder('', ['docs/', 'pictures/'])], false);
  engine.handle({ kind: 'changed', paths: [''], isDeep: false });
  engine.handle({ kind: 'changedNames', path: 'docs', names: ['a'] });
  engine.handle({ kind: 'moved', from: 'pictures', to: 'docs/pictures' });
  expect(requests).toHaveLength(1);
  answer(1, [folder('docs', []), folder('pictures', [])]);
  // The changes are read once everything else is: the folders may have been read before them.
  expect(requests.slice(1)).toMatchObject([
    { kind: 'read', paths: [''], isDeep: false },
    { kind: 'readNames', path: 'docs', names: ['a'] },
    { kind: 'read', paths: ['', 'docs'], isDeep: false },
  ]);
  answer(2, [folder('', ['docs/', 'new/'])]);
  expect(foldersInRoot()).toEqual(['docs', 'new']);
});

it('reads watched folders that changed while the catalogue was built again', () => {
  const maxEntries = 3;
  const tree = [folder('', ['docs/', 'top']), folder('docs', ['a', 'b'])];
  const { engine, requests, answer, report } = open({ maxEntries });
  answer(1, tree);
  answer(2, tree);
  engine.handle({ kind: 'sweep', isWhole: true });
  expect(requests).toHaveLength(3);
  report({ changes: [['docs', ['a']]], moved: [], isOverflow: false });
  report({ changes: [['', null]], moved: [], isOverflow: false });
  expect(requests).toHaveLength(3);
  answer(3, tree);
  answer(4, tree);
  expect(requests.slice(4)).toMatchObject([
    { kind: 'readNames', path: 'docs', names: ['a'] },
    { kind: 'read', paths: [''], isDeep: false },
  ]);
});

it('reads everything again when too much changed while the catalogue was built', () => {
  const { engine, requests, answer } = open();
  for (let count = 0; count <= 10_000; count++)
    engine.handle({ kind: 'changedNames', path: '', names: [`${count}`] });
  answer(1, [folder('', ['docs/']), folder('docs', [])]);
  expect(requests.slice(1)).toMatchObject([{ kind: 'check', paths: ['', 'docs'] }]);
});

it('is settled when everything that has changed was read and reported', () => {
  const { engine, requests, answer, report, isSettled, runLater } = open({ reportsChanges: true });
  const changes = { changes: [['', null]], moved: [], isOverflow: false } satisfies WatchedChanges;
  expect(isSettled()).toBe(false);
  answer(1, [folder('', ['docs/'])]);
  // The whole catalogue has to be reported.
  expect(isSettled()).toBe(false);
  runLater();
  expect(isSettled()).toBe(true);
  // A comparison with the disk, which may find no change, does not count.
  engine.handle({ kind: 'sweep', isWhole: false });
  expect(requests.at(-1)).toMatchObject({ kind: 'check' });
  expect(isSettled()).toBe(true);
  answer(2, []);
  engine.handle({ kind: 'changedNames', path: '', names: ['a'] });
  report(changes);
  expect(isSettled()).toBe(false);
  answer(3, []);
  expect(isSettled()).toBe(false);
  answer(4, [folder('', ['docs/', 'new/'])]);
  runLater();
  // The new folder is being read.
  expect(isSettled()).toBe(false);
  answer(5, [folder('new', [])]);
  runLater();
  expect(isSettled()).toBe(true);
});

it('reports a folder only if a document or a folder in it has changed', () => {
  const { engine, answer, reported, runLater } = open({ reportsChanges: true });
  const changedTo = (id: number, names: readonly string[], size: number): readonly string[] | null => {
    engine.handle({ kind: 'changed', paths: ['docs'], isDeep: false });
    const read = folder('docs', names);
    answer(id, [{ ...read, sizes: Float64Array.from(names, () => size) }]);
    runLater();
    return reported();
  };
  answer(1, [folder('', ['docs/']), folder('docs', ['a.txt', 'film.mkv'])]);
  runLater();
  expect(reported()).toBeNull();
  // A file without content is no document.
  expect(changedTo(2, ['a.txt', 'film.mkv', 'new.mkv', 'empty.txt'], 0)).toEqual([]);
  expect(changedTo(3, ['a.txt', 'film.mkv'], 0)).toEqual([]);
  expect(changedTo(4, ['a.txt', 'film.mkv'], 10)).toEqual(['docs']);
  expect(changedTo(5, ['a.txt', 'film.mkv'], 1e9)).toEqual(['docs']);
  expect(changedTo(6, ['a.txt', 'film.mkv'], 2e9)).toEqual([]);
  expect(changedTo(7, ['film.mkv', 'new/'], 2e9)).toEqual(['docs']);
});

it('reports both folders of a file that this server has moved', () => {
  const { engine, answer, reported, runLater } = open({ reportsChanges: true });
  answer(1, [folder('', ['a/', 'b/']), folder('a', ['one.txt']), folder('b', [])]);
  runLater();
  reported();
  engine.handle({ kind: 'moved', from: 'a/one.txt', to: 'b/two.txt' });
  answer(2, [folder('a', []), folder('b', ['two.txt'])]);
  runLater();
  expect(reported()).toEqual(['a', 'b']);
});

it('keeps the upper levels of a tree with too many entries', async () => {
  const data = mkdtempSync(join(tmpdir(), 'filestead-catalogue-'));
  const file = join(data, 'catalogue');
  // The root and nine entries: all of the first two levels, and two of the four entries of the third.
  const maxEntries = 10;
  const { engine, requests, answer, paths } = open({ maxEntries, file });
  const tree = [
    folder('', ['a/', 'b/', 'top.txt']),
    folder('a', ['deep/', '1.txt']),
    folder('a/deep', ['2.txt', '3.txt', 'deeper/']),
    folder('a/deep/deeper', ['4.txt', '5.txt', '6.txt']),
    folder('b', ['7.txt', 'inner/']),
    folder('b/inner', ['8.txt']),
  ];
  answer(1, tree);
  expect(requests.at(-1)).toMatchObject({ kind: 'read', paths: [''], isDeep: true, maxDepth: 3 });
  answer(2, tree);
  const kept = [
    'a',
    'a/1.txt',
    'a/deep',
    'a/deep/2.txt',
    'a/deep/3.txt',
    'b',
    'b/7.txt',
    'b/inner',
    'top.txt',
  ];
  expect(await paths()).toEqual(kept);

  // Room that becomes free is for entries of the same levels.
  engine.handle({ kind: 'changed', paths: ['a/deep', 'a/deep/deeper', 'b/inner'], isDeep: false });
  answer(3, [folder('a/deep', ['2.txt', 'deeper/']), folder('b/inner', ['8.txt'])]);
  const later = [...kept.filter((path) => path !== 'a/deep/3.txt'), 'a/deep/deeper'].sort();
  expect(await paths()).toEqual(later);
  engine.handle({ kind: 'changed', paths: ['a/deep/deeper'], isDeep: false });
  answer(5, [folder('a/deep/deeper', []), folder('a', ['deep/'])]);
  answer(4, [folder('a/deep/deeper', ['4.txt'])]);
  expect(await paths()).toEqual(later.filter((path) => path !== 'a/1.txt'));

  // A saved catalogue keeps its limit; a sweep of all entries builds it again.
  engine.handle({ kind: 'save', id: 2 });
  const again = open({ maxEntries, file });
  expect(again.requests.at(-1)).toMatchObject({ kind: 'check' });
  again.answer(1, [folder('a/deep/deeper', ['4.txt'])]);
  expect(await again.paths()).toEqual(later.filter((path) => path !== 'a/1.txt'));
  again.engine.handle({ kind: 'sweep', isWhole: true });
  expect(again.requests.at(-1)).toMatchObject({ kind: 'read', paths: [''], isDeep: true });
  rmSync(data, { recursive: true });
});
