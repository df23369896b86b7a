import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ScanMessage, ScannedFolder, ScanRequest } from '../storage/disk/scan/scan-protocol.ts';
import { CatalogueEngine } from './catalogue-engine.ts';
import type { FromCatalogue } from './catalogue-protocol.ts';

/** The entries of a folder: names that end with a slash are folders. */
function folder(path: string, names: readonly string[]): ScannedFolder {
  const columns = names.map(() => 0);
  return {
    path,
    state: 'read',
    time: 1,
    names: names.map((name) => name.replace('/', '')).join('\0'),
    kinds: Uint8Array.from(names, (name) => (name.endsWith('/') ? 1 : 0)),
    sizes: Float64Array.from(columns),
    blocks: Float64Array.from(columns),
    times: Float64Array.from(columns),
  };
}

/** Opens an engine whose readings are answered by the test. */
function open(): {
  engine: CatalogueEngine;
  requests: ScanRequest[];
  answer: (id: number, folders: readonly ScannedFolder[], isEnd?: boolean) => void;
  /** The names of the folders in the root. */
  foldersInRoot: () => readonly string[];
} {
  const requests: ScanRequest[] = [];
  const posted: FromCatalogue[] = [];
  let listener: (message: ScanMessage) => void = () => undefined;
  const port = {
    postMessage: (request: ScanRequest): void => void requests.push(request),
    on: (_event: 'message', added: typeof listener): void => void (listener = added),
  };
  const file = join(tmpdir(), 'filestead-no-such-folder', 'catalogue');
  const engine = new CatalogueEngine(
    {
      kind: 'start',
      scan: port as never,
      source: { rootId: '1:1', rules: '' },
      file,
      maxEntries: 1000,
      reportsChanges: false,
    },
    port,
    { post: (message) => void posted.push(message), now: Date.now, after: () => () => undefined },
  );
  engine.open();
  return {
    engine,
    requests,
    answer(id, folders, isEnd = true) {
      listener({ kind: 'folders', id, folders });
      if (isEnd) listener({ kind: 'end', id });
    },
    foldersInRoot() {
      engine.handle({ kind: 'folderFiles', id: 0, folders: [''] });
      const response = posted.at(-1);
      return response?.kind === 'folderFiles' ? (response.folders[0]?.folders ?? []) : [];
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

it('reads everything again when too much changed while the catalogue was built', () => {
  const { engine, requests, answer } = open();
  for (let count = 0; count <= 10_000; count++)
    engine.handle({ kind: 'changedNames', path: '', names: [`${count}`] });
  answer(1, [folder('', ['docs/']), folder('docs', [])]);
  expect(requests.slice(1)).toMatchObject([{ kind: 'check', paths: ['', 'docs'] }]);
});
