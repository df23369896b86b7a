import { expect, test } from 'vitest';
import { safeRedirect } from './safe-redirect.ts';

test.each([
  ['/files/', '/files/'],
  ['/files/a%20b/?x=1#y', '/files/a%20b/?x=1#y'],
  ['/settings/profile', '/settings/profile'],
  ['/files/a//b', '/files/a//b'],
])('accepts %s as an address of this application', (address, target) => {
  expect(safeRedirect(address)).toBe(target);
});

test.each([
  [null],
  [''],
  ['files/'],
  ['//evil.example/'],
  ['/\\evil.example/'],
  ['\\\\evil.example'],
  ['/\t/evil.example'],
  ['/\n/evil.example'],
  ['/x/..//evil.example'],
  ['https://evil.example/'],
  ['javascript:alert(1)'],
  ['/login'],
  ['/login?redirect=%2Flogin'],
  ['/login/'],
])('replaces %j with the address of the files', (address) => {
  expect(safeRedirect(address)).toBe('/files/');
});
