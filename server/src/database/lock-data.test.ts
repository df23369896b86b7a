import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockData } from './lock-data.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'filestead-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a data folder can be locked by one server at a time, and by another after its release', () => {
  const file = join(folder, 'lock');
  const unlock = lockData(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(() => lockData(file)).toThrow('another server uses this data folder');
  unlock();
  lockData(file)();
});
