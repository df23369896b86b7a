import { closeSync, fstatSync, futimesSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSameTime } from './modification-time.ts';

describe('a file that gets the time of another one', () => {
  let folder: string;
  let descriptor: number;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'filestead-time-'));
    descriptor = openSync(join(folder, 'copy'), 'w');
  });
  afterAll(() => {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  });

  test.each([1_000_000_000n, 1_795_000_000n, 4_102_444_800n])(
    'has the same time, whatever its nanoseconds are: %d s',
    (seconds) => {
      const differing: bigint[] = [];
      for (let step = 0n; step < 3_000n; step++) {
        const originalNs = seconds * 1_000_000_000n + step * 333_331n;
        futimesSync(descriptor, 0, Number(originalNs) / 1e9);
        if (!isSameTime(fstatSync(descriptor, { bigint: true }).mtimeNs, originalNs))
          differing.push(originalNs);
      }
      expect(differing).toEqual([]);
    },
  );

  test('differs from one that was changed ten microseconds later', () => {
    expect(isSameTime(1_000_010_000n, 1_000_000_000n)).toBe(false);
    expect(isSameTime(1_000_000_000n, 1_000_010_000n)).toBe(false);
  });
});
