import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  breaksAfter,
  bytesOf,
  entriesOf,
  once,
  path,
  readText,
  refused,
  treeOf,
} from '../testing/storage-testing.ts';
import { AppError } from '../../errors.ts';
import { openPathsBelow } from '../../../test/open-paths.ts';
import type { Storage } from '../storage.ts';
import { temporaryDisks } from '../testing/temporary-disk.ts';

const disks = temporaryDisks();
const journals = fs.mkdtempSync(join(os.tmpdir(), 'filestead-journal-'));
afterAll(() => fs.rmSync(journals, { recursive: true }));

/** Calls every method, with arguments that succeed and arguments that fail. */
async function exercise(storage: Storage, round: number): Promise<void> {
  const quietly = async (work: Promise<unknown>): Promise<void> => {
    await work.catch(() => undefined);
  };
  const name = `/made-${round}`;
  await storage.stat(path('/d/e/a.txt'));
  await storage.stat(path('/l/e/a.txt'));
  await storage.stat(path('/d/e/nothing/below'));
  await quietly(storage.stat(path('/out/x')));
  await quietly(storage.stat(path('/d/e/a.txt/x')));
  await readText(storage, '/l/e/a.txt');
  await quietly(storage.openFile(path('/d')));
  await quietly(storage.openFile(path('/out')));
  await entriesOf(await storage.list(path('/d')));
  await entriesOf(await storage.list(path('/')));
  await quietly(storage.list(path('/d/e/a.txt')));
  await quietly(storage.list(path('/d'), { signal: AbortSignal.abort() }));
  const abort = new AbortController();
  const left = await storage.list(path('/d'), { signal: abort.signal });
  abort.abort();
  await quietly(entriesOf(left));
  for await (const batch of (await storage.list(path('/d'))).batches()) if (batch.count > 0) break;
  await storage.write(path(name), bytesOf('x'), { mode: 'create' });
  await quietly(storage.write(path(name), bytesOf('x'), { mode: 'create' }));
  await quietly(storage.write(path(name), breaksAfter('x'), { mode: 'replace' }));
  await quietly(storage.write(path('/d/e'), bytesOf('x'), { mode: 'replace' }));
  await quietly(storage.write(path('/out/x'), bytesOf('x'), { mode: 'either', createParents: true }));
  await quietly(storage.createFolder(path('/d/e/a.txt')));
  await storage.createFolder(path(`${name}-folder/x/y`));
  await storage.copy(path('/d'), path(`${name}-copy`), once);
  await quietly(storage.copy(path('/d'), path(`${name}-copy`), once));
  await storage.copy(path('/d'), path(`${name}-copy`), { overwrite: true });
  await quietly(storage.copy(path('/d'), path('/d/e/x'), once));
  const copying = new AbortController();
  const onProgress = (): void => copying.abort(new Error('enough'));
  await quietly(
    storage.copy(path('/d'), path(`${name}-aborted`), { ...once, signal: copying.signal, onProgress }),
  );
  await storage.move(path(`${name}-copy`), path(`${name}-moved`), once);
  await quietly(storage.move(path(`${name}-moved`), path('/d'), once));
  await storage.move(path(`${name}-moved`), path(`${name}-folder`), { overwrite: true });
  await quietly(storage.move(path(`${name}-folder`), path('/f'), { overwrite: true }));
  await treeOf(storage, `${name}-folder`);
  for await (const { entry } of storage.walk(path('/'))) if (entry.name === 'a.txt') break;
  await storage.usage(path('/d'));
  const inner = await storage.within(path('/l'));
  await readText(inner, '/e/a.txt');
  await inner.close();
  await quietly(storage.within(path('/out')));
  await storage.remove(path(`${name}-folder`));
  await storage.remove(path(name));
  await quietly(storage.remove(path('/nothing/x')));
  await quietly(storage.remove(path('/d/e'), { signal: AbortSignal.abort() }));
}

describe('descriptors', () => {
  test('are all closed, also after errors and aborts', async () => {
    const { storage, root, outside } = await disks.open({
      files: {
        '/d/e/a.txt': 'a',
        '/d/e/big': 'x'.repeat(3_000_000),
        '/d/b.txt': 'b',
        '/f': 'f',
        '/d/e/g/h': 'h',
      },
      temporaryJournal: join(journals, 'journal'),
    });
    fs.symlinkSync('d', join(root, 'l'));
    fs.symlinkSync(outside, join(root, 'out'));
    const openPaths = (): string[] => [...openPathsBelow(root), ...openPathsBelow(outside)].toSorted();
    const before = openPaths();
    expect(before).toContain(root);
    // Among them those of all workers that listings may start.
    await Promise.all(Array.from({ length: 8 }, async () => entriesOf(await storage.list(path('/d')))));
    for (let round = 0; round <= 5; round++) await exercise(storage, round);
    // A worker or iterator may close its descriptors in a later turn of the event loop.
    await expect.poll(openPaths).toEqual(before);
    expect(fs.readdirSync(root).toSorted()).toEqual(['d', 'f', 'l', 'out']);
    await storage.close();
    await expect.poll(openPaths).toEqual([]);
  });

  test('of folders that a check of rules reads ahead are closed, wherever it stops', async () => {
    const files: Record<string, string> = {};
    for (let outer = 0; outer < 6; outer++)
      for (let inner = 0; inner < 6; inner++) files[`/d/${outer}/${inner}/name-${outer}-${inner}`] = '';
    const { storage, root } = await disks.open({ files });
    const denied = [...Object.keys(files), '/d/3/4', null];
    const before = openPathsBelow(root).toSorted();
    for (const name of denied) {
      const checked = new Set<string>();
      const guarded = storage.guarded((tried) => {
        checked.add(tried);
        if (tried === name) throw new AppError('forbidden');
      });
      const removal = guarded.remove(path('/d'));
      if (name === null) {
        await removal;
        expect(Object.keys(files).filter((file) => !checked.has(file))).toEqual([]);
      } else await expect(removal).rejects.toEqual(refused('forbidden'));
      await expect.poll(() => openPathsBelow(root).toSorted()).toEqual(before);
    }
    expect(fs.readdirSync(root)).toEqual([]);
    await storage.close();
  });

  test('closing a storage finishes the calls in progress and rejects new ones', async () => {
    const { storage, root } = await disks.open({ files: { '/a.txt': 'old' } });
    let go: () => void = () => undefined;
    const pending = new Promise<void>((resolve) => {
      go = resolve;
    });
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array([110]);
      await pending;
      yield new Uint8Array([101]);
    }
    const writing = storage.write(path('/a.txt'), slow(), { mode: 'replace' });
    const closing = storage.close();
    await expect(storage.stat(path('/a.txt'))).rejects.toThrow('closed');
    go();
    await writing;
    await closing;
    expect(fs.readFileSync(join(root, 'a.txt'), 'utf8')).toBe('ne');
  });
});
