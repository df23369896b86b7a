import { expect, test } from 'vitest';
import { packFolders } from './pack-folders.ts';
import { unreadFolder } from './scan-folder.ts';
import type { ScannedFolder } from './scan-protocol.ts';

const folderOf = (path: string, numbers: readonly number[]): ScannedFolder => ({
  path,
  state: 'read',
  time: 5,
  modified: 5,
  names: numbers.map(String).join('\0'),
  kinds: Uint8Array.from(numbers, (number) => number % 4),
  sizes: Float64Array.from(numbers, (number) => number * 1e12),
  blocks: Float64Array.from(numbers, (number) => number * 8),
  times: Float64Array.from(numbers, (number) => -number),
});

test('packed folders arrive as they were, with one buffer for all of them', () => {
  const folders = [
    folderOf('a', [1, 2, 3]),
    unreadFolder('gone', 'gone'),
    folderOf('b', []),
    folderOf('c', [7]),
  ];
  const { folders: packed, buffer } = packFolders(folders);
  const received = structuredClone(packed, { transfer: [buffer] });
  expect(received).toEqual(folders);
  expect(new Set(received.map(({ sizes }) => sizes.buffer)).size).toBe(1);
  expect(new Set(received.map(({ kinds }) => kinds.buffer)).size).toBe(1);
});
