import { parsePath } from '@filestead/contract/paths/virtual-path';
import { describe, expect, test } from 'vitest';
import { openMemoryStorage } from '../storage/memory/memory-storage.ts';
import type { Storage } from '../storage/storage.ts';
import type { BegunItem } from './job-progress.ts';
import type { PlannedItem } from './plan-items.ts';
import { examineInterrupted } from './resume-item.ts';

const path = (text: string): PlannedItem['from']['path'] => parsePath(text).path;
const item = (change: Partial<PlannedItem> = {}): PlannedItem => ({
  index: 0,
  from: { path: path('/a'), isFolderPath: false },
  to: path('/b'),
  overwrite: false,
  picksFreeName: false,
  ...change,
});

/** A storage with these files; a null stands for a folder. */
async function storageWith(files: Readonly<Record<string, string | null>>): Promise<Storage> {
  const storage = await openMemoryStorage();
  for (const [name, content] of Object.entries(files)) {
    if (content === null) await storage.createFolder(path(name));
    else {
      const source = (async function* () {
        yield Buffer.from(content);
      })();
      await storage.write(path(name), source, { mode: 'create' });
    }
  }
  return storage;
}

/** The record that was made before the first effect, when `/a` was a file of `size` bytes. */
async function begun(storage: Storage, change: Partial<BegunItem> = {}): Promise<BegunItem> {
  const entry = (await storage.stat(path('/a'))) ?? (await storage.stat(path('/b')));
  if (entry === null) throw new Error('neither exists');
  const source = { kind: entry.kind, size: entry.size, modifiedNs: entry.modifiedNs.toString() };
  return { index: 0, to: path('/b'), destinationExisted: false, source, temporaryName: '', ...change };
}

describe('an interrupted deletion', () => {
  test('is complete when the entry is gone, and repeated when it is still the same', async () => {
    const storage = await storageWith({ '/a': 'one' });
    const record = await begun(storage, { to: null });
    expect(await examineInterrupted('delete', item(), record, storage)).toMatchObject({ isDone: false });
    await storage.remove(path('/a'));
    expect(await examineInterrupted('delete', item(), record, storage)).toEqual({ isDone: true });
  });

  test('leaves another file of the same name alone', async () => {
    const storage = await storageWith({ '/a': 'one' });
    const record = await begun(storage, { to: null });
    const other = await storageWith({ '/a': 'another one' });
    expect(await examineInterrupted('delete', item(), record, other)).toEqual({ isDone: true });
    const folder = await storageWith({ '/a': null });
    expect(await examineInterrupted('delete', item(), record, folder)).toEqual({ isDone: true });
  });
});

describe('an interrupted copy', () => {
  test('is repeated when the destination does not exist, and complete when it is the copy', async () => {
    const storage = await storageWith({ '/a': 'one' });
    const record = await begun(storage);
    expect(await examineInterrupted('copy', item(), record, storage)).toEqual({
      isDone: false,
      overwrites: false,
    });
    await storage.copy(path('/a'), path('/b'), { overwrite: false });
    expect(await examineInterrupted('copy', item(), record, storage)).toEqual({ isDone: true });
  });

  test('of a folder is complete when the folder has its name', async () => {
    const storage = await storageWith({ '/a': null, '/a/x': '1', '/b': null });
    expect(await examineInterrupted('copy', item(), await begun(storage), storage)).toEqual({ isDone: true });
  });

  test('fails when another file took the name', async () => {
    const storage = await storageWith({ '/a': 'one', '/b': 'another' });
    const record = await begun(storage);
    await expect(examineInterrupted('copy', item(), record, storage)).rejects.toMatchObject({
      code: 'interrupted',
    });
  });

  test('over an existing entry is repeated', async () => {
    const storage = await storageWith({ '/a': 'one', '/b': 'another' });
    const record = await begun(storage, { destinationExisted: true });
    expect(await examineInterrupted('copy', item({ overwrite: true }), record, storage)).toEqual({
      isDone: false,
      overwrites: true,
    });
  });
});

describe('an interrupted move', () => {
  test('is complete when only the destination exists', async () => {
    const storage = await storageWith({ '/b': 'one' });
    expect(await examineInterrupted('move', item(), await begun(storage), storage)).toEqual({ isDone: true });
  });

  test('of a file replaces its own copy on another disk', async () => {
    const storage = await storageWith({ '/a': 'one' });
    await storage.copy(path('/a'), path('/b'), { overwrite: false });
    expect(await examineInterrupted('move', item(), await begun(storage), storage)).toEqual({
      isDone: false,
      overwrites: true,
    });
  });

  test.each([
    ['a folder', { '/a': null, '/b': null }],
    ['another file', { '/a': 'one', '/b': 'another' }],
  ])('fails when source and destination exist and the destination is %s', async (_title, files) => {
    const storage = await storageWith(files as Record<string, string | null>);
    const record = await begun(storage);
    await expect(examineInterrupted('move', item(), record, storage)).rejects.toMatchObject({
      code: 'interrupted',
    });
  });
});
