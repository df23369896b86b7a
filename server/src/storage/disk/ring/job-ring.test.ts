import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Storage, WriteOptions } from '../../storage.ts';
import { temporaryDisks } from '../../testing/temporary-disk.ts';
import { bytesOf, path } from '../../testing/storage-testing.ts';
import { closeFolder, type Folder } from '../paths/folder.ts';
import type { ScopeRoot } from '../paths/locate.ts';
import { defaultModes } from '../paths/modes.ts';
import { openScopeRoot } from '../open-scope-root.ts';
import { JobRing } from './job-ring.ts';
import type { RingOutcome } from './read-outcome.ts';
import { type Operation, dataBytes, maxContentBytes, maxListedEntries, slotCount } from './ring-layout.ts';
import { shareFolder, type StoreRequest } from './write-requests.ts';

const disks = temporaryDisks();
let ring: JobRing;
let storage: Storage;
let root: string;
let scopeRoot: ScopeRoot;

beforeEach(async () => {
  ring = new JobRing();
  await ring.start();
  ({ storage, root } = await disks.open({
    rings: { quick: ring, flushes: ring },
    files: { '/docs/a.txt': 'hello', '/docs/b/c.txt': 'c' },
  }));
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

describe('jobs that write', () => {
  const journalFile = (): string => join(root, '..', 'journal');
  const temporary = `.filestead-${'1'.repeat(32)}.part`;
  const requestOf = (given: Partial<StoreRequest> = {}): StoreRequest => ({
    mode: 'either',
    isNew: true,
    isNamedAtOnce: false,
    temporary,
    modes: defaultModes,
    journal: null,
    ...given,
  });
  const store = (name: string, given?: Partial<StoreRequest>) =>
    ring.submit(scopeRoot, 'store', name, {
      request: requestOf(given),
      body: [Buffer.from('some '), Buffer.from('bytes')],
    }) ?? Promise.reject(new Error('the job was not taken'));
  const publish = (folder: Folder, name: string) =>
    ring.submit(scopeRoot, 'publish', '', { request: { folder: shareFolder(folder), temporary, name } }) ??
    Promise.reject(new Error('the job was not taken'));
  const folderOf = (outcome: RingOutcome): Folder => {
    if (outcome.kind !== 'stored' || outcome.folder === null) throw new Error(`it was ${outcome.kind}`);
    return outcome.folder;
  };

  test('store a file under its temporary name, and publish it under a new name', async () => {
    const folder = folderOf(await store('docs/new.txt'));
    expect(fs.readFileSync(join(root, 'docs', temporary), 'utf8')).toBe('some bytes');
    expect(await publish(folder, 'new.txt')).toEqual({ kind: 'published' });
    closeFolder(folder);
    expect(fs.readFileSync(join(root, 'docs/new.txt'), 'utf8')).toBe('some bytes');
    expect(fs.readdirSync(join(root, 'docs')).toSorted()).toEqual(['a.txt', 'b', 'new.txt']);
  });

  test('never replace an existing entry', async () => {
    const folder = folderOf(await store('docs/new.txt'));
    fs.writeFileSync(join(root, 'docs/new.txt'), 'of another user');
    expect(await publish(folder, 'new.txt')).toEqual({ kind: 'exists' });
    closeFolder(folder);
    expect(fs.readFileSync(join(root, 'docs/new.txt'), 'utf8')).toBe('of another user');
  });

  test('store a file and give it its name in one job', async () => {
    expect((await store('docs/new.txt', { isNamedAtOnce: true })).kind).toBe('named');
    expect(fs.readFileSync(join(root, 'docs/new.txt'), 'utf8')).toBe('some bytes');
    expect(fs.readdirSync(join(root, 'docs')).toSorted()).toEqual(['a.txt', 'b', 'new.txt']);
    expect((await store('top.txt', { isNamedAtOnce: true })).kind).toBe('named');
    expect(fs.readdirSync(root).toSorted()).toEqual(['docs', 'top.txt']);
  });

  test('change nothing when an entry already has the name of the file', async () => {
    expect(await store('docs/a.txt', { isNamedAtOnce: true })).toEqual({ kind: 'unsuitable' });
    expect(fs.readFileSync(join(root, 'docs/a.txt'), 'utf8')).toBe('hello');
    expect(fs.readdirSync(join(root, 'docs')).toSorted()).toEqual(['a.txt', 'b']);
  });

  test('write the record of the journal before the file is created', async () => {
    const descriptor = fs.openSync(journalFile(), 'a', 0o600);
    fs.writeFileSync(join(root, 'docs', temporary), 'in the way');
    const outcome = await store('docs/new.txt', { journal: { descriptor, text: '+record\n' } });
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'already_exists' } });
    expect(fs.readFileSync(journalFile(), 'utf8')).toBe('+record\n');
    fs.closeSync(descriptor);
  });

  test('report that the temporary name is free after a failure', async () => {
    const descriptor = fs.openSync('/dev/full', 'a');
    const outcome = await store('docs/new.txt', { journal: { descriptor, text: '+record\n' } });
    fs.closeSync(descriptor);
    expect(outcome).toMatchObject({ kind: 'failed', isClean: true, error: { code: 'storage_full' } });
    expect(fs.readdirSync(join(root, 'docs')).toSorted()).toEqual(['a.txt', 'b']);
  });

  test('change nothing when the target was created or removed after its check', async () => {
    expect(await store('docs/a.txt')).toEqual({ kind: 'unsuitable' });
    expect(await store('docs/new.txt', { isNew: false })).toEqual({ kind: 'unsuitable' });
    expect(fs.readdirSync(join(root, 'docs')).toSorted()).toEqual(['a.txt', 'b']);
  });

  test('change nothing when a link is part of the path, or a parent folder is missing', async () => {
    fs.symlinkSync('docs', join(root, 'link'));
    fs.symlinkSync('nowhere', join(root, 'docs/link.txt'));
    for (const name of ['link/new.txt', 'docs/link.txt', 'docs/missing/new.txt'])
      expect([name, await store(name)]).toEqual([name, { kind: 'unsuitable' }]);
    expect(fs.readdirSync(join(root, 'docs')).toSorted()).toEqual(['a.txt', 'b', 'link.txt']);
  });

  test('refuse to create reserved names', async () => {
    const outcome = await store(`docs/.filestead-${'2'.repeat(32)}.part`);
    expect(outcome).toMatchObject({ kind: 'failed', isClean: true, error: { code: 'forbidden' } });
  });

  test('are refused when their bytes do not fit into a slot', () => {
    const request = requestOf();
    const body = [Buffer.alloc(dataBytes)];
    expect(ring.submit(scopeRoot, 'store', 'docs/new.txt', { request, body })).toBeNull();
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
    const short = new JobRing({ idleMs: 20 });
    await short.start();
    await expect.poll(() => short.workerCount).toBe(0);
    expect(short.isReady()).toBe(false);
    await short.start();
    expect((await short.submit(scopeRoot, 'stat', 'docs'))?.kind).toBe('entry');
    await short.close();
  });
});

describe('jobs that mostly wait for the disk', () => {
  test('run on all workers when the disk needs long for a flush, although they make progress', async () => {
    // Without this rule the fifth worker is started only after no job was taken for 50 ms. Every flush takes longer than 0 ms.
    const slow = new JobRing({ maxWorkers: 6, slowFlushMs: 0 });
    await slow.start();
    const end = new AbortController();
    const keepBusy = async (_: unknown, client: number): Promise<void> => {
      for (let count = 0; !end.signal.aborted; count++)
        await slow.submit(scopeRoot, 'store', `docs/new ${client} ${count}`, {
          request: {
            mode: 'either',
            isNew: true,
            isNamedAtOnce: true,
            temporary: `.filestead-${client}-${count}.part`,
            modes: defaultModes,
            journal: null,
          },
          body: [Buffer.from('text')],
        });
    };
    const clients = Array.from({ length: 32 }, keepBusy);
    await expect.poll(() => slow.workerCount).toBe(6);
    end.abort();
    await Promise.all(clients);
    await slow.close();
  });
});

describe('a disk that writes through the ring', () => {
  const write = (name: string, text: string, options: Partial<WriteOptions> = {}) =>
    storage.write(path(name), bytesOf(text), { mode: 'either', announcedBytes: text.length, ...options });

  test('returns the entry of the published file', async () => {
    const entry = await write('/docs/new.txt', 'text');
    const { changedNs, ...stored } = (await storage.stat(path('/docs/new.txt'))) ?? {};
    expect(entry).toMatchObject(stored);
    // Linking the file to its name is a change of the file.
    expect(entry.changedNs).toBeLessThan(changedNs ?? 0n);
  });

  test('stores a body that is longer than announced', async () => {
    const text = 'x'.repeat(maxContentBytes + 10);
    await storage.write(path('/docs/long.txt'), bytesOf(text, 'end'), { mode: 'create', announcedBytes: 5 });
    expect(fs.readFileSync(join(root, 'docs/long.txt'), 'utf8')).toBe(`${text}end`);
  });

  test('calls the guard once before the change, and checks the current entry before and after the bytes', async () => {
    const calls: string[] = [];
    await write('/docs/a.txt', 'new', {
      confirm: (current) => void calls.push(`confirm ${current?.size}`),
      beforeChange: async () => void calls.push('change'),
      beforePublish: async () => void calls.push('publish'),
    });
    expect(calls).toEqual(['confirm 5', 'change', 'publish', 'confirm 5']);
    expect(fs.readFileSync(join(root, 'docs/a.txt'), 'utf8')).toBe('new');
  });

  test('awaits the callers before it stores and names a new file in one step', async () => {
    const calls: string[] = [];
    const names = (): string => fs.readdirSync(join(root, 'docs')).join(' ');
    const entry = await write('/docs/new.txt', 'text', {
      isNamedAtOnce: true,
      confirm: (current) => void calls.push(`confirm ${current === null}: ${names()}`),
      beforeChange: async () => void calls.push(`change: ${names()}`),
      beforePublish: async () => void calls.push(`publish: ${names()}`),
    });
    expect(calls).toEqual(['confirm true: a.txt b', 'change: a.txt b', 'publish: a.txt b']);
    expect(entry).toMatchObject({ name: 'new.txt', size: 4 });
    expect(fs.readFileSync(join(root, 'docs/new.txt'), 'utf8')).toBe('text');
    expect(names()).toBe('a.txt b new.txt');
  });

  test('awaits them between both steps when flushes are slow', async () => {
    // No flush is faster.
    const slow = new JobRing({ slowFlushMs: -1 });
    await slow.start();
    const disk = await disks.open({ rings: { quick: ring, flushes: slow }, files: {} });
    const temporaries: number[] = [];
    const note = async (): Promise<void> => void temporaries.push(fs.readdirSync(disk.root).length);
    await disk.storage.write(path('/new.txt'), bytesOf('text'), {
      mode: 'either',
      announcedBytes: 4,
      isNamedAtOnce: true,
      beforeChange: note,
      beforePublish: note,
    });
    expect(temporaries).toEqual([1, 1]);
    expect(fs.readdirSync(disk.root)).toEqual(['new.txt']);
    await disk.storage.close();
    await slow.close();
  });

  test('stores nothing when the callers of such a step refuse', async () => {
    const refusal = new Error('the permissions were withdrawn');
    for (const options of [
      { beforeChange: () => Promise.reject(refusal) },
      { beforePublish: () => Promise.reject(refusal) },
      {
        confirm: () => {
          throw refusal;
        },
      },
    ])
      await expect(write('/docs/new.txt', 'text', { isNamedAtOnce: true, ...options })).rejects.toBe(refusal);
    expect(fs.readdirSync(join(root, 'docs')).toSorted()).toEqual(['a.txt', 'b']);
  });

  test('replaces an existing file that the callers confirm only as existing', async () => {
    await write('/docs/a.txt', 'new', {
      isNamedAtOnce: true,
      confirm: (current) => {
        if (current === null) throw new Error('may not create');
      },
    });
    expect(fs.readFileSync(join(root, 'docs/a.txt'), 'utf8')).toBe('new');
  });

  test('keeps an existing file that may not be replaced', async () => {
    const options = { isNamedAtOnce: true, mode: 'create' } as const;
    await expect(write('/docs/a.txt', 'new', options)).rejects.toMatchObject({ code: 'already_exists' });
    expect(fs.readFileSync(join(root, 'docs/a.txt'), 'utf8')).toBe('hello');
    expect(fs.readdirSync(join(root, 'docs')).toSorted()).toEqual(['a.txt', 'b']);
  });

  test('leaves nothing behind when publishing is refused', async () => {
    const refusal = new Error('the permissions were withdrawn');
    const beforePublish = () => Promise.reject(refusal);
    await expect(write('/docs/new.txt', 'text', { beforePublish })).rejects.toBe(refusal);
    expect(fs.readdirSync(join(root, 'docs')).toSorted()).toEqual(['a.txt', 'b']);
  });

  test('keeps a file that was created at the same name during the upload', async () => {
    const beforePublish = async () => fs.writeFileSync(join(root, 'docs/new.txt'), 'first');
    await expect(write('/docs/new.txt', 'second', { mode: 'create', beforePublish })).rejects.toMatchObject({
      code: 'already_exists',
    });
    expect(fs.readFileSync(join(root, 'docs/new.txt'), 'utf8')).toBe('first');
    expect(fs.readdirSync(join(root, 'docs')).toSorted()).toEqual(['a.txt', 'b', 'new.txt']);
  });

  test('calls the guard before it creates anything', async () => {
    const guarded = storage.guarded(() => {
      throw new Error('denied');
    });
    const written = guarded.write(path('/docs/new.txt'), bytesOf('x'), { mode: 'create', announcedBytes: 1 });
    await expect(written).rejects.toThrow('denied');
    expect(fs.readdirSync(join(root, 'docs')).toSorted()).toEqual(['a.txt', 'b']);
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
