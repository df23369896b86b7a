import { virtualPath } from '@filestead/contract/virtual-path';
import { describe, expect, test } from 'vitest';
import type { PublicEntry } from './open-public.ts';
import { crumbsOf } from './public-crumbs.tsx';
import { downloadAddressOf, formatName, offeredFormats } from './public-downloads.ts';

const item = (name: string, isFolder = false) => ({
  name,
  path: virtualPath(`/sub/${name}`),
  isFolder,
  type: isFolder ? ('' as const) : ('text' as const),
  size: 1,
  modifiedMs: 0,
});
const folder: PublicEntry = {
  ...item('x', true),
  name: 'sub',
  path: virtualPath('/sub'),
  hash: 'Ab',
  isWholeLink: false,
  items: [item('inner', true), item('a.txt'), item('b.txt')],
  subtitles: [],
  token: 'secret',
  endsMs: null,
};
const selected = (...names: string[]) => new Set(names.map((name) => virtualPath(`/sub/${name}`)));

describe('what a visitor downloads', () => {
  const base = '/api/public/dl/Ab/sub';
  test.each([
    ['nothing selected: the folder', selected(), `${base}?token=secret&algo=tar`],
    ['everything: the folder', selected('inner', 'a.txt', 'b.txt'), `${base}?token=secret&algo=tar`],
    ['one file: as it is', selected('a.txt'), `${base}/a.txt?token=secret`],
    ['one folder: its archive', selected('inner'), `${base}/inner?token=secret&algo=tar`],
    [
      'several: an archive of these',
      selected('inner', 'b.txt'),
      `${base}?token=secret&files=inner%2Cb.txt&algo=tar`,
    ],
  ])('%s', (_name, paths, address) => {
    expect(downloadAddressOf(folder, paths, 'tar')).toBe(address);
  });

  test('more names than an address holds are refused', () => {
    const many = Array.from({ length: 800 }, (_, index) => `a rather long name ${index}.txt`);
    const big = { ...folder, items: [...folder.items, ...many.map((name) => item(name))] };
    expect(downloadAddressOf(big, selected(...many))).toBeNull();
    expect(downloadAddressOf(big, selected(...many.slice(0, 100)))).not.toBeNull();
  });

  test('a file needs no choice', () => {
    const file: PublicEntry = { ...folder, ...item('a.txt'), items: [], token: undefined };
    expect(downloadAddressOf(file, new Set())).toBe(`${base}/a.txt`);
  });
});

test('seven formats are offered, zip first', () => {
  expect(offeredFormats.map(formatName)).toEqual([
    'zip',
    'tar',
    'tar.gz',
    'tar.bz2',
    'tar.xz',
    'tar.lz4',
    'tar.sz',
  ]);
});

describe('crumbs', () => {
  const names = (path: string) =>
    crumbsOf(virtualPath(path)).map((crumb) => (crumb.isCollapsed ? `…${crumb.path}` : crumb.path));
  test('name three levels at most; what lies above is one', () => {
    expect(names('/')).toEqual([]);
    expect(names('/a')).toEqual(['/a']);
    expect(names('/a/b/c')).toEqual(['/a', '/a/b', '/a/b/c']);
    expect(names('/a/b/c/d/e')).toEqual(['…/a/b', '/a/b/c', '/a/b/c/d', '/a/b/c/d/e']);
  });
});
