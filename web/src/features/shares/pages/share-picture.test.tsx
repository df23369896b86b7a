import type { Share } from '@filestead/contract/shares';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { fireEvent, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { pageConfig } from '../../../api/page-config.ts';
import type { ShareTarget } from '../share-target.ts';
import { SharePicture } from './share-picture.tsx';

const hadThumbs = pageConfig.EnableThumbs;
afterEach(() => Object.assign(pageConfig, { EnableThumbs: hadThumbs }));

const targetOf = (name: string, isFolder = false): ShareTarget => ({
  name,
  path: virtualPath(`/Trip/${name}`),
  isFolder,
});
const existing = { size: 2_000, modified: '2026-05-01T10:00:00.250Z', type: 'blob' } as const;
const show = (
  target: ShareTarget,
  {
    canDownload = true,
    hasThumbs = true,
    share = existing,
  }: { canDownload?: boolean; hasThumbs?: boolean; share?: Partial<Share> } = {},
) => {
  Object.assign(pageConfig, { EnableThumbs: hasThumbs });
  return render(<SharePicture share={share} target={target} canDownload={canDownload} />).container;
};

test.each(['tram 1.png', 'ride.mp4'])('the thumbnail of %s covers its icon once it is loaded', (name) => {
  const container = show(targetOf(name));
  const image = container.querySelector('img');
  expect(image?.getAttribute('src')).toBe(
    `/api/preview/thumb/Trip/${encodeURIComponent(name)}?inline=true&key=${Date.parse(existing.modified)}`,
  );
  expect(container.querySelector('[data-loaded]')).toBeNull();
  fireEvent.load(image ?? container);
  expect(container.querySelector('[data-loaded]')).not.toBeNull();
});

test('the icon remains when there is no thumbnail', () => {
  const container = show(targetOf('tram.png'));
  fireEvent.error(container.querySelector('img') ?? container);
  expect(container.querySelector('img')).toBeNull();
  expect(container.querySelector('svg')).not.toBeNull();
});

test.each([
  ['a text', targetOf('notes.txt'), {}],
  ['a folder that is named like a picture', targetOf('tram.png', true), {}],
  ['a picture without the permission to download', targetOf('tram.png'), { canDownload: false }],
  ['a picture without thumbnails on the server', targetOf('tram.png'), { hasThumbs: false }],
  ['a picture that is missing', targetOf('tram.png'), { share: { gone: true as const } }],
  ['a picture that the user may not list', targetOf('tram.png'), { share: {} }],
  ['an empty picture', targetOf('tram.png'), { share: { ...existing, size: 0 } }],
])('no thumbnail is requested for %s', (_, target, options) => {
  expect(show(target, options).querySelector('img')).toBeNull();
});
