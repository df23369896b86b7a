import { expect, test } from 'vitest';
import { needsJob } from './needs-job.ts';
import { fileAt, folderAt } from './test-entries.ts';

const files = (count: number) => Array.from({ length: count }, (_, index) => fileAt(`/${index}`));

test('leaves folders, many items and large copies to the server', () => {
  expect(needsJob('move', files(5))).toBe(false);
  expect(needsJob('move', files(6))).toBe(true);
  expect(needsJob('delete', [folderAt('/a')])).toBe(true);
  const large = { ...fileAt('/film'), size: 2 ** 30 };
  expect(needsJob('copy', [large])).toBe(true);
  expect(needsJob('delete', [large])).toBe(false);
  expect(needsJob('move', [large])).toBe(false);
});
