import { deniedBySystem } from '@filestead/contract/errors';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { ApiError } from '../../api/call.ts';
import { statusOfError } from '../frame/error-screen.tsx';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { pathOfAddress } from './file-address.ts';
import { pageTitle } from './page-title.ts';
import { toneOfFraction, usedFraction } from '../frame/usage.ts';

test.each([
  ['/', true, '/files/'],
  ['/a b', true, '/files/a%20b/'],
  ['/100%/ü?#.txt', false, '/files/100%25/%C3%BC%3F%23.txt'],
])('converts %j (folder: %s) to the address %s and back', (path, isFolder, address) => {
  expect(fileAddress(virtualPath(path), isFolder)).toBe(address);
  expect(pathOfAddress(address)).toEqual({ path, isFolderPath: isFolder });
});

test.each([['/files/../etc'], ['/files/%zz'], ['/files/a%00b'], ['/filesystem/a'], ['/login']])(
  'does not accept %s as the address of a file',
  (address) => {
    expect(pathOfAddress(address)).toBeNull();
  },
);

test('joins the subject, the screen and the product in a title', () => {
  expect(pageTitle('Lisbon', 'Files')).toBe('Lisbon - Files - Filestead');
  expect(pageTitle('', 'Files')).toBe('Files - Filestead');
});

test.each([
  [new ApiError(0, 'no_connection'), 0],
  [new ApiError(403, 'forbidden'), 403],
  [new ApiError(403, 'external_link'), 'link'],
  [new ApiError(403, 'forbidden', { detail: deniedBySystem }), 'denied'],
  [new ApiError(404, 'not_found'), 404],
  [new ApiError(400, 'invalid_path'), 404],
  [new ApiError(507, 'storage_full'), 500],
  [new Error('a mistake'), 500],
])('shows %s as %s', (error, status) => {
  expect(statusOfError(error)).toBe(status);
});

test.each([
  [0, 100, 0, 'accent'],
  [79, 100, 0.79, 'accent'],
  [80, 100, 0.8, 'warning'],
  [95, 100, 0.95, 'danger'],
  [120, 100, 1, 'danger'],
  [5, 0, 0, 'accent'],
])('rates %i of %i used as a fraction of %f, %s', (used, total, share, tone) => {
  expect(usedFraction({ used, total, kept: 0, reclaimable: 0 })).toBe(share);
  expect(toneOfFraction(share)).toBe(tone);
});
