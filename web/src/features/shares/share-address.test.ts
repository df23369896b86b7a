import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { describe, expect, test } from 'vitest';
import { shareUrl } from '../../api/public-share.ts';
import {
  directDownloadUrl,
  downloadAddress,
  previewAddress,
  publicAddress,
  publicLocationOf,
} from './share-address.ts';

describe('addresses of public pages', () => {
  test.each([
    ['/share/Ab-_1', { hash: 'Ab-_1', path: '/' }],
    ['/share/Ab-_1/', { hash: 'Ab-_1', path: '/' }],
    ['/share/Ab/a%20b/%C3%BC%23.txt', { hash: 'Ab', path: '/a b/ü#.txt' }],
    ['/share/Ab/sub/', { hash: 'Ab', path: '/sub' }],
    ['/share/', null],
    ['/share//x', null],
    ['/share/%zz', null],
    ['/share/Ab/../x', null],
    ['/share/Ab/%2e%2e/x', null],
    ['/share/a%2Fb', null],
    ['/files/Ab', null],
  ])('parses %s as %j', (address, location) => {
    expect(publicLocationOf(address)).toEqual(location);
  });

  test('are parsed back to the location they were built from', () => {
    const location = { hash: 'Ab-_1', path: virtualPath('/a b/50% #?') };
    expect(publicLocationOf(publicAddress(location, true))).toEqual(location);
    expect(publicAddress(location, true)).toMatch(/\/$/u);
    expect(publicAddress(location, false)).not.toMatch(/\/$/u);
  });
});

test('addresses contain the origin if they are given to others', () => {
  expect(shareUrl('Ab')).toBe(`${window.location.origin}/share/Ab`);
  const origin = `${window.location.origin}/api/public/dl/Ab`;
  expect(directDownloadUrl({ hash: 'Ab', path: '/docs/a b.txt' })).toBe(`${origin}/a%20b.txt`);
  expect(directDownloadUrl({ hash: 'Ab', path: '/docs/' })).toBe(`${origin}/`);
});

test('download addresses name the entries, each name encoded a second time', () => {
  const location = { hash: 'Ab', path: virtualPath('/sub') };
  expect(downloadAddress(location)).toBe('/api/public/dl/Ab/sub');
  const address = downloadAddress(location, { token: 't', names: ['a,b', 'c d'], format: 'tar' });
  const { searchParams } = new URL(address, 'http://x');
  expect(searchParams.get('files')).toBe('a%2Cb,c%20d');
  expect([searchParams.get('algo'), searchParams.get('token')]).toEqual(['tar', 't']);
});

test('addresses of thumbnails change with the content', () => {
  const location = { hash: 'Ab', path: virtualPath('/a.png') };
  expect(previewAddress(location, { size: 'thumb', token: undefined, key: 5 })).toBe(
    '/api/public/preview/thumb/Ab/a.png?inline=true&key=5',
  );
});
