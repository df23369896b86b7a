import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Storage } from '../../storage.ts';
import { temporaryDisks } from '../../testing/temporary-disk.ts';
import { path } from '../../testing/storage-testing.ts';
import { closeFolder } from '../paths/folder.ts';
import type { ScopeRoot } from '../paths/locate.ts';
import { openScopeRoot } from '../open-scope-root.ts';
import { ReadRing } from './read-ring.ts';
import { type Operation, maxContentBytes, maxListedEntries, slotCount } from './ring-layout.ts';

const disks = temporaryDisks();
let ring: ReadRing;
let storage: Storage;
let root: string;
let scopeRoot: ScopeRoot;

beforeEach(async () => {
  ring = new ReadRing();
  await ring.start();
  ({ storage, root } = await disks.open({ ring, files: { '/docs/a.txt': 'hello', '/docs/b/c.txt': 'c' } }));
  scopeRoot = await openScopeRoot({ root });
});
afterEach(async () => {
  await storage.close();
  closeFolder(scopeRoot.root);
  await ring.close();
});

const submit = (operation: Operation, name: string) =>
  ring.submit(scopeRoot, operation, name) ?? Promise.reject(new Error('the job was not taken'));

describe('jobs of the ring', () => {
  test('return a small file with its content', async () => {
    const outcome = await submit('read', 'docs/a.txt');
    expect(outcome).toMatchObject({ kind: 'content', content: Buffer.from('hello') });
    expect(outcome.kind === 'content' && Number(outcome.metadata.ino)).toBe(
      fs.statSync(join(root, 'docs/a.txt')).ino,
    );
  });

  test('return an open descriptor of a large file', async () => {
    fs.writeFileSync(join(root, 'large'), Buffer.alloc(maxContentBytes + 1));
    const outcome = await submit('read', 'large');
    if (outcome.kind !== 'descriptor') throw new Error(`it was returned as ${outcome.kind}`);
    expect(fs.fstatSync(outcome.descriptor).size).toBe(maxContentBytes + 1);
    fs.closeSync(outcome.descriptor);
  });

  test('return an open descriptor of a small file when it is requested', async () => {
    const outcome = await submit('open', 'docs/a.txt');
    if (outcome.kind !== 'descriptor') throw new Error(`it was returned as ${outcome.kind}`);
    expect(fs.readFileSync(outcome.descriptor, 'utf8')).toBe('hello');
    fs.closeSync(outcome.descriptor);
  });

  test('return a file of the largest size for content', async () => {
    const bytes = Buffer.alloc(maxContentBytes, 'ab');
    fs.writeFileSync(join(root, 'full'), bytes);
    const outcome = await submit('read', 'full');
    expect(outcome.kind === 'content' && outcome.content.equals(bytes)).toBe(true);
  });

  test('list a folder, and return the metadata of a file', async () => {
    const folder = await submit('statOrList', 'docs');
    expect(folder).toMatchObject({ kind: 'folder', listed: { names: ['b', 'a.txt'], folderCount: 1 } });
    const file = await submit('statOrList', 'docs/a.txt');
    expect(file).toMatchObject({ kind: 'entry', metadata: { size: 5n } });
    expect(await submit('statOrList', 'docs/nothing')).toEqual({ kind: 'missing' });
    expect(await submit('statOrList', 'docs/a.txt/below')).toEqual({ kind: 'missing' });
  });

  test.each([
    ['read', 'docs', 'is_folder'],
    ['read', 'nothing', 'not_found'],
    ['read', 'docs/a.txt/below', 'not_a_folder'],
    ['list', 'docs/a.txt', 'not_a_folder'],
    ['list', 'nothing', 'not_found'],
  ] as const)('reject %s of %s with %s', async (operation, name, code) => {
    await expect(submit(operation, name)).rejects.toMatchObject({ code });
  });

  test('are reported as unsuitable when a link is part of the path or of the listing', async () => {
    fs.symlinkSync('docs', join(root, 'link'));
    fs.symlinkSync('a.txt', join(root, 'docs/link.txt'));
    for (const [operation, name] of [
      ['stat', 'link'],
      ['read', 'link/a.txt'],
      ['read', 'docs/link.txt'],
      ['list', 'docs'],
      ['list', 'link'],
    ] as const)
      expect([name, await submit(operation, name)]).toEqual([name, { kind: 'unsuitable' }]);
  });

  test('are reported as unsuitable for folders with more entries than fit into a slot', async () => {
    fs.mkdirSync(join(root, 'many'));
    for (let i = 0; i < maxListedEntries; i++) fs.writeFileSync(join(root, 'many', String(i)), '');
    const full = await submit('list', 'many');
    expect(full.kind === 'folder' && full.listed.names.length).toBe(maxListedEntries);
    fs.writeFileSync(join(root, 'many', 'one more'), '');
    expect(await submit('list', 'many')).toEqual({ kind: 'unsuitable' });
  });

  test('are reported as unsuitable for folders whose names do not fit into a slot', async () => {
    fs.mkdirSync(join(root, 'long'));
    for (let i = 0; i < 260; i++) fs.writeFileSync(join(root, 'long', `${'x'.repeat(250)}${i}`), '');
    expect(await submit('list', 'long')).toEqual({ kind: 'unsuitable' });
  });

  test('are refused while all slots are in use, and accepted again afterwards', async () => {
    const jobs = Array.from({ length: slotCount }, () => submit('stat', 'docs/a.txt'));
    expect(ring.submit(scopeRoot, 'stat', 'docs')).toBeNull();
    const outcomes = await Promise.all(jobs);
    expect(outcomes.every(({ kind }) => kind === 'entry')).toBe(true);
    expect((await submit('stat', 'docs')).kind).toBe('entry');
  });

  test('are refused when the path is longer than a slot', () => {
    expect(ring.submit(scopeRoot, 'stat', 'x'.repeat(30_000))).toBeNull();
  });

  test('never mix up their results when many run concurrently', async () => {
    for (let i = 0; i < 20; i++) fs.writeFileSync(join(root, `n${i}`), `content ${i}`);
    const run = async (worker: number): Promise<void> => {
      for (let step = 0; step < 100; step++) {
        const number = (worker * 7 + step) % 20;
        const outcome = await submit('read', `n${number}`);
        expect(outcome.kind === 'content' && outcome.content.toString()).toBe(`content ${number}`);
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, worker) => run(worker)));
  });
});

describe('workers of the ring', () => {
  test('are replaced, and queued jobs are done by the next one', async () => {
    const jobs = [submit('stat', 'docs/a.txt'), submit('stat', 'docs')];
    await Promise.all([ring.close(), ...jobs.map((job) => job.catch(() => undefined))]);
    await ring.start();
    expect((await submit('stat', 'docs')).kind).toBe('entry');
  });

  test('end when there has been no job for a while, and start again', async () => {
    const short = new ReadRing({ idleMs: 20 });
    await short.start();
    await expect.poll(() => short.workerCount).toBe(0);
    expect(short.isReady()).toBe(false);
    await short.start();
    expect((await short.submit(scopeRoot, 'stat', 'docs'))?.kind).toBe('entry');
    await short.close();
  });
});

describe('a disk that reads through the ring', () => {
  test('returns the same for small files and folders as one that does not', async () => {
    const file = await storage.openFile(path('/docs/a.txt'), { prefersContent: true });
    const opened = await storage.openFile(path('/docs/a.txt'));
    expect(file.entry).toEqual(opened.entry);
    expect(file.fingerprint).toBe(opened.fingerprint);
    expect([file.descriptor, typeof opened.descriptor]).toEqual([null, 'number']);
    const buffer = new Uint8Array(3);
    expect([await file.read(buffer, 3), Buffer.from(buffer.subarray(0, 2)).toString()]).toEqual([2, 'lo']);
    expect(await file.read(buffer, 5)).toBe(0);
    await file.close();
    await opened.close();
  });

  test('calls the guard with the requested path before it reads', async () => {
    const checked: string[] = [];
    const guarded = storage.guarded((requested) => {
      checked.push(requested);
      if (requested === '/docs/a.txt') throw new Error('denied');
    });
    await expect(guarded.openFile(path('/docs/a.txt'), { prefersContent: true })).rejects.toThrow('denied');
    await expect(guarded.stat(path('/docs/a.txt'))).rejects.toThrow('denied');
    expect((await guarded.statOrList(path('/docs')))?.listing?.names).toEqual(['b', 'a.txt']);
    expect(checked).toEqual(['/docs/a.txt', '/docs/a.txt', '/docs']);
  });
});
