import { expect, test } from 'vitest';
import { isLongWork } from './is-long-work.ts';
import { fileAt, folderAt } from './test-entries.ts';

const files = (count: number) => Array.from({ length: count }, (_, index) => fileAt(`/${index}`));

test('leaves folders, many items and large copies to the server', () => {
  expect(isLongWork('move', files(5))).toBe(false);
  expect(isLongWork('move', files(6))).toBe(true);
  expect(isLongWork('delete', [folderAt('/a')])).toBe(true);
  const large = { ...fileAt('/film'), size: 2 ** 30 };
  expect(isLongWork('copy', [large])).toBe(true);
  expect(isLongWork('delete', [large])).toBe(false);
  expect(isLongWork('move', [large])).toBe(false);
});
