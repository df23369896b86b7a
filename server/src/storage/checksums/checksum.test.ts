import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { userParty } from '../../scheduling/party.ts';
import { checksum } from './checksum.ts';
import { openMemoryStorage } from '../memory/memory-storage.ts';
import type { OpenFile } from '../storage.ts';
import { path } from '../testing/storage-testing.ts';
import { temporaryDisks } from '../testing/temporary-disk.ts';

const disks = temporaryDisks();
const never = new AbortController().signal;
const party = userParty(1);

/** Opens a file of 64 GiB, which takes longer than a test, and one of 1 MiB. */
async function openBigAndSmall(): Promise<{ big: OpenFile; small: OpenFile }> {
  const { storage, root } = await disks.open();
  fs.writeFileSync(join(root, 'big'), '');
  fs.truncateSync(join(root, 'big'), 64 * 1024 ** 3);
  fs.writeFileSync(join(root, 'small'), Buffer.alloc(1024 * 1024));
  return { big: await storage.openFile(path('/big')), small: await storage.openFile(path('/small')) };
}

describe('checksum', () => {
  test.each(['md5', 'sha1', 'sha256', 'sha512'] as const)(
    'computes the %s of files of any size',
    async (algorithm) => {
      const { storage, root } = await disks.open();
      for (const size of [0, 1, 256 * 1024 - 1, 256 * 1024, 3 * 1024 * 1024 + 5]) {
        const bytes = randomBytes(size);
        fs.writeFileSync(join(root, 'file'), bytes);
        const file = await storage.openFile(path('/file'));
        expect(await checksum(file, algorithm, { party, signal: never })).toBe(
          createHash(algorithm).update(bytes).digest('hex'),
        );
        await file.close();
      }
    },
  );

  test('hashes a file in memory', async () => {
    const storage = await openMemoryStorage({ '/file': 'hello\n' });
    const file = await storage.openFile(path('/file'));
    expect(await checksum(file, 'md5', { party, signal: never })).toBe('b1946ac92492d2347c6235b4d2611184');
  });

  test('returns the right checksum for each of many concurrent files', async () => {
    const { storage, root } = await disks.open();
    const expected = Array.from({ length: 12 }, (_, i) => {
      const bytes = Buffer.alloc(400 * 1024, i);
      fs.writeFileSync(join(root, `${i}`), bytes);
      return createHash('sha256').update(bytes).digest('hex');
    });
    const files = await Promise.all(expected.map((_, i) => storage.openFile(path(`/${i}`))));
    const found = await Promise.all(files.map((file) => checksum(file, 'sha256', { party, signal: never })));
    expect(found).toEqual(expected);
    await Promise.all(files.map((file) => file.close()));
  });

  test('stops a cancelled file, running or waiting, and continues with others', async () => {
    const { storage, root } = await disks.open();
    fs.writeFileSync(join(root, 'big'), '');
    fs.truncateSync(join(root, 'big'), 8 * 1024 ** 3);
    const file = await storage.openFile(path('/big'));
    const controller = new AbortController();
    const progress: number[] = [];
    const running = Array.from({ length: 8 }, () =>
      checksum(file, 'sha256', {
        party,
        signal: controller.signal,
        onProgress: (bytes) => progress.push(bytes),
      }),
    );
    await expect.poll(() => progress.some((bytes) => bytes > 0)).toBe(true);
    controller.abort(new Error('left'));
    const results = await Promise.allSettled(running);
    expect(
      results.every((result) => result.status === 'rejected' && String(result.reason).includes('left')),
    ).toBe(true);
    await file.close();
    fs.writeFileSync(join(root, 'small'), Buffer.alloc(1024 * 1024));
    const small = await storage.openFile(path('/small'));
    expect(await checksum(small, 'md5', { party, signal: never })).toBe('b6d81b360a5672d80c27430f39153e2c');
    await small.close();
    await expect(checksum(small, 'md5', { party, signal: controller.signal })).rejects.toThrow('left');
  });

  test('reports a read error', async () => {
    const { storage, root } = await disks.open();
    fs.writeFileSync(join(root, 'file'), Buffer.alloc(300 * 1024));
    const file = await storage.openFile(path('/file'));
    await expect(
      checksum({ ...file, descriptor: 1_000_000 }, 'md5', { party, signal: never }),
    ).rejects.toThrow('EBADF');
    await file.close();
  });

  test('takes turns, so that a small file does not wait for the large files of another party', async () => {
    const { big, small } = await openBigAndSmall();
    const controller = new AbortController();
    const { signal } = controller;
    const large = Array.from({ length: 40 }, () => checksum(big, 'sha256', { party, signal }));
    const settled = Promise.allSettled(large);
    expect(await checksum(small, 'md5', { party: userParty(2), signal: never })).toBe(
      'b6d81b360a5672d80c27430f39153e2c',
    );
    controller.abort(new Error('left'));
    expect((await settled).every(({ status }) => status === 'rejected')).toBe(true);
    await Promise.all([big.close(), small.close()]);
  });

  test('refuses too many files of one party, but not of another party', async () => {
    const { big, small } = await openBigAndSmall();
    const controller = new AbortController();
    const { signal } = controller;
    const settled = Promise.allSettled(
      Array.from({ length: 270 }, () => checksum(big, 'sha256', { party, signal })),
    );
    await expect(checksum(small, 'md5', { party, signal })).rejects.toMatchObject({
      code: 'too_many_requests',
    });
    await expect(checksum(small, 'md5', { party: userParty(2), signal })).resolves.toHaveLength(32);
    controller.abort(new Error('left'));
    await settled;
    await Promise.all([big.close(), small.close()]);
  });
});
