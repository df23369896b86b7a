import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePrivateFolder } from './adopt-owner.ts';

const isRoot = process.getuid?.() === 0;
const owner = isRoot ? 61_234 : (process.getuid?.() ?? 0);
let top: string;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'filestead-owner-'));
  if (isRoot) chownSync(top, owner, owner);
});
afterEach(() => rmSync(top, { recursive: true }));

test.each(['a/b', 'a/b/', './a//b', 'x/../a/b/.'])('creates the folders of %s for one account', (path) => {
  for (let times = 0; times < 2; times++) {
    makePrivateFolder(`${top}/${path}`);
    for (const folder of ['a', 'a/b']) {
      const { mode, uid } = statSync(join(top, folder));
      expect([mode & 0o777, uid]).toEqual([0o700, owner]);
    }
  }
});
