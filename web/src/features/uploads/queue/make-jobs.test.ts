import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { conflictScope } from './conflict-queue.ts';
import { makeJobs } from './make-jobs.ts';

const jobOf = (relativePath: string) => {
  const item = { kind: 'file', relativePath, file: new File(['x'], 'x') } as const;
  return [...makeJobs([{ item, path: null, override: false }], conflictScope(true), 1)][0];
};

test.each([
  ['its own name', `${'ü'.repeat(126)}.txt`],
  ['the name of a folder around it', `${'a'.repeat(256)}/b.txt`],
])('reports a name of more than 255 bytes as too long: %s', (_, relativePath) => {
  expect(jobOf(relativePath)).toMatchObject({ state: 'failed', failure: 'name_too_long' });
});

test('reports any other refused name as invalid', () => {
  expect(jobOf('a\0b')).toMatchObject({ state: 'failed', failure: 'invalid_name' });
});

test('queues an item with a valid name', () => {
  const item = { kind: 'file', relativePath: 'a.txt', file: new File(['x'], 'a.txt') } as const;
  const uploads = [{ item, path: virtualPath('/in/a.txt'), override: false }];
  expect([...makeJobs(uploads, conflictScope(true), 7)]).toMatchObject([
    { id: 7, state: 'waiting', failure: null },
  ]);
});
