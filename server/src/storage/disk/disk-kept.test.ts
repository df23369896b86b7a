import fs from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../errors.ts';
import { describeKept } from '../testing/describe-kept.ts';
import { keep } from '../testing/kept-testing.ts';
import { path, refused } from '../testing/storage-testing.ts';
import { temporaryDisks } from '../testing/temporary-disk.ts';
import { syscalls } from './paths/syscalls.ts';

const disks = temporaryDisks();

describe.each(['descriptor', 'path'] as const)('disk, folders confined by %s', (confinement) =>
  describeKept(async (files) => (await disks.open({ files, confinement })).storage),
);

test('a storage is closed once the records of its kept entries are written', async () => {
  const { storage } = await disks.open({ files: { '/a.txt': 'a' } });
  const entry = await keep(storage, '/a.txt');
  const { write } = syscalls;
  let mayWrite: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    mayWrite = resolve;
  });
  const heldWrite = async (descriptor: number, bytes: Buffer): Promise<unknown> => {
    if (bytes.includes('"type":"end"')) await gate;
    return write(descriptor, bytes);
  };
  syscalls.write = heldWrite as typeof write;
  try {
    await storage.restore(entry, path('/b.txt'), { conflict: 'fail', createParents: false });
    let isClosed = false;
    const closing = storage.close().finally(() => {
      isClosed = true;
    });
    for (let turn = 0; turn < 10; turn++) await yieldToEventLoop();
    expect(isClosed).toBe(false);
    mayWrite();
    await closing;
  } finally {
    syscalls.write = write;
  }
});

describe('a guard that denies nothing below a folder', () => {
  const files = { '/d/a/b.txt': 'b', '/d/c.txt': 'c', '/secret/x.txt': 'x' };
  const mayDenyBelow = (folder: string): boolean => folder === '/' || folder.startsWith('/secret');

  test('is not called for its entries', async () => {
    const { storage } = await disks.open({ files });
    const checked: string[] = [];
    const guarded = storage.guarded((checkedPath) => void checked.push(checkedPath), mayDenyBelow);
    await guarded.move(path('/d'), path('/e'), { overwrite: false });
    await keep(guarded, '/e');
    expect(new Set(checked)).toEqual(new Set(['/d', '/e']));
    await guarded.move(path('/secret'), path('/f'), { overwrite: false });
    expect(checked).toContain('/secret/x.txt');
    expect(checked).toContain('/f/x.txt');
    await storage.close();
  });

  test('is called for all entries when another guard may deny one', async () => {
    const { storage } = await disks.open({ files });
    const checked: string[] = [];
    const outer = storage.guarded((checkedPath) => void checked.push(checkedPath));
    const inner = await outer.guarded(() => undefined, mayDenyBelow).within(path('/d'));
    await keep(inner, '/a');
    expect(checked).toContain('/d/a/b.txt');
    await inner.close();
    await storage.close();
  });

  test('is called for the targets of links that a copy follows', async () => {
    const { storage, root } = await disks.open({ files });
    fs.symlinkSync('../secret', join(root, 'd/link'));
    const guarded = storage.guarded((checkedPath) => {
      if (checkedPath.startsWith('/secret')) throw new AppError('forbidden');
    }, mayDenyBelow);
    const copy = guarded.copy(path('/d'), path('/copy'), { overwrite: false });
    await expect(copy).rejects.toEqual(refused('forbidden'));
    await storage.close();
  });
});
