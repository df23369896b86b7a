import { expect, test } from 'vitest';
import { isPhotoFolder, viewOf } from './photo-folder.ts';

const account = { viewMode: 'list', sorting: { by: 'name', asc: false } } as const;

test.each([
  [6, 6, true],
  [9, 10, true],
  [6, 10, false],
  [5, 5, false],
  [0, 0, false],
])(
  'a folder with %i pictures among %i entries is shown as photos: %s',
  (mediaCount, totalCount, expected) => {
    expect(isPhotoFolder({ mediaCount, totalCount })).toBe(expected);
  },
);

test('the view chosen for a folder comes before photos', () => {
  expect(viewOf(account, undefined, true)).toEqual({
    viewMode: 'mosaic gallery',
    sorting: { by: 'modified', asc: false },
  });
  expect(viewOf(account, { viewMode: 'list' }, true)).toEqual(account);
  expect(viewOf(account, { sorting: { by: 'size', asc: true } }, true)).toEqual({
    viewMode: 'mosaic gallery',
    sorting: { by: 'size', asc: true },
  });
  expect(viewOf(account, undefined, false)).toEqual(account);
});
