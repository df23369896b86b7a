import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { describe, expect, test, vi } from 'vitest';
import type { PublicEntry } from './open-public.ts';
import { downloadAddressOf, downloadSelected, formatName, offeredFormats } from './public-downloads.ts';

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
  isShareRoot: false,
  items: [item('inner', true), item('a.txt'), item('b.txt')],
  subtitles: [],
  token: 'secret',
  endsMs: null,
};
const selected = (...names: string[]) => new Set(names.map((name) => virtualPath(`/sub/${name}`)));

describe('downloads by visitors', () => {
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
  ])('downloads %s', (_name, paths, address) => {
    expect(downloadAddressOf(folder, paths, 'tar')).toBe(address);
  });

  test('have no address if the names do not fit into one', () => {
    const many = Array.from({ length: 800 }, (_, index) => `a rather long name ${index}.txt`);
    const largeFolder = { ...folder, items: [...folder.items, ...many.map((name) => item(name))] };
    expect(downloadAddressOf(largeFolder, selected(...many))).toBeNull();
    expect(downloadAddressOf(largeFolder, selected(...many.slice(0, 100)))).not.toBeNull();
  });

  test('of many names are requested with a body and fetched with the ticket', async () => {
    const many = Array.from({ length: 800 }, (_, index) => `a rather long name ${index}.txt`);
    const largeFolder = { ...folder, items: [...folder.items, ...many.map((name) => item(name))] };
    const fetched = vi.fn<typeof fetch>(async () =>
      Response.json({ ticket: 'T-1', name: '_sub.zip', validForSeconds: 60 }),
    );
    const followed: string[] = [];
    vi.stubGlobal('fetch', fetched);
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      followed.push(this.getAttribute('href') ?? '');
    });
    await downloadSelected(largeFolder, selected(...many));
    click.mockRestore();
    vi.unstubAllGlobals();
    const [url, init] = fetched.mock.calls[0] ?? [];
    expect([url, init?.method]).toEqual(['/api/public/archives/Ab?token=secret', 'POST']);
    expect(JSON.parse(String(init?.body))).toEqual({ paths: many.map((name) => `/sub/${name}`) });
    expect(followed).toEqual(['/api/public/archives/Ab/T-1?token=secret']);
  });

  test('of a file need no choice of format', () => {
    const file: PublicEntry = { ...folder, ...item('a.txt'), items: [], token: undefined };
    expect(downloadAddressOf(file, new Set())).toBe(`${base}/a.txt`);
  });
});

test('visitors are offered seven formats, zip first', () => {
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
