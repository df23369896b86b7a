import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { contentId } from './loading/content-id.ts';
import { FileAddressesProvider, type FileAddresses } from './file-addresses.ts';
import { MarkdownView } from './html/markdown-view.tsx';
import { pictureSources } from './images/picture-source.ts';
import type { PreviewEntry } from './preview-entry.ts';

afterEach(cleanup);

/** Addresses of the files of a share. */
const publicAddresses: FileAddresses = {
  original: (path, key) => `/elsewhere${path}?key=${key ?? 'none'}`,
  embeddedImage: (path) => (path.startsWith('/secret') ? null : `/elsewhere${path}`),
  picture: ({ path }, size) => `/elsewhere/${size}${path}`,
  subtitle: (path) => `/elsewhere/subtitle${path}`,
};
const picture: PreviewEntry = {
  path: virtualPath('/a/b.tif'),
  name: 'b.tif',
  type: 'image',
  size: 1,
  modifiedMs: 5,
};

test('requests pictures from the given addresses', () => {
  expect(pictureSources(picture, false, publicAddresses)).toEqual([
    { url: '/elsewhere/big/a/b.tif', isFullSize: false },
    { url: '/elsewhere/a/b.tif?key=5', isFullSize: true, isDecodedInPage: true },
  ]);
});

test('requests the images of a Markdown file from the given addresses', () => {
  const { container } = render(
    <FileAddressesProvider value={publicAddresses}>
      <MarkdownView
        path={virtualPath('/a/plan.md')}
        text="![map](../maps/city.png) ![plan](../secret/plan.png)"
      />
    </FileAddressesProvider>,
  );
  const images = [...container.querySelectorAll('img')].map((image) => image.getAttribute('src'));
  expect(images).toEqual(['/elsewhere/maps/city.png']);
  expect(container.textContent?.trim()).toBe('plan');
});

test('keeps the id of a file the same for another share token', () => {
  const idFor = (search: string) => contentId(`/api/public/dl/abc/film.mp4?${search}`, 10);
  expect(idFor('token=one&inline=true&key=5')).toBe(idFor('token=two&inline=true&key=5'));
  expect(idFor('token=one&inline=true&key=5')).not.toBe(idFor('token=one&inline=true&key=6'));
});
