import { rootPath, virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { trashAddress, trashPlaceOf } from './trash-address.ts';

const id = 'abcdefghijklmnopqrstu-';

test.each([
  [rootPath, false, `/trash/${id}`],
  [rootPath, true, `/trash/${id}/`],
  [virtualPath('/a b/ü#.txt'), false, `/trash/${id}/a%20b/%C3%BC%23.txt`],
  [virtualPath('/a b'), true, `/trash/${id}/a%20b/`],
])('converts %j (folder: %s) to the address %s and back', (path, isFolder, address) => {
  expect(trashAddress(id, isFolder, path)).toBe(address);
  expect(trashPlaceOf(address)).toEqual({ id, path, isFolder });
});

test('recognizes the list, and refuses invalid addresses', () => {
  expect(trashPlaceOf('/trash')).toEqual({ id: null });
  expect(trashPlaceOf('/trash/')).toEqual({ id: null });
  expect(trashPlaceOf(`/trash/${id}/../x`)).toBeNull();
  expect(trashPlaceOf('/trash/a.b')).toBeNull();
  expect(trashPlaceOf('/trash/unknown/')).toBeNull();
});
