import { afterEach, beforeEach, expect, test } from 'vitest';
import { pageConfig } from '../../../api/page-config.ts';
import type { FileEntry } from './entry.ts';
import { pictureAddress } from './picture-address.ts';
import { fileAt } from '../transfers/test-entries.ts';

const originalConfig = { ...pageConfig };
beforeEach(() => Object.assign(pageConfig, { EnableThumbs: true, ResizePreview: true }));
afterEach(() => Object.assign(pageConfig, originalConfig));

const file = (name: string, type: FileEntry['type'], size = 10): FileEntry => ({
  ...fileAt(`/a b/${name}`),
  type,
  size,
});

test.each([
  ['list', false, '/api/preview/thumb/a%20b/x.jpg'],
  ['mosaic', false, '/api/preview/medium/a%20b/x.jpg'],
  ['mosaic gallery', false, '/api/preview/medium/a%20b/x.jpg'],
  ['mosaic', true, '/api/preview/thumb/a%20b/x.jpg'],
  ['mosaic gallery', true, '/api/preview/medium/a%20b/x.jpg'],
] as const)('uses in %s, phone %s, the picture %s', (view, isPhone, address) => {
  expect(pictureAddress(file('x.jpg', 'image'), view, isPhone)).toBe(
    `${address}?inline=true&key=1700000000000`,
  );
});

test('requests RAW images and videos too, but no other and no empty files', () => {
  expect(pictureAddress(file('x.cr2', 'image'), 'list', false)).toContain('/thumb/');
  expect(pictureAddress(file('x.mp4', 'video'), 'mosaic', false)).toContain('/thumb/');
  expect(pictureAddress(file('x.mp3', 'audio'), 'mosaic', false)).toBeNull();
  expect(pictureAddress(file('x.bin', 'blob'), 'mosaic', false)).toBeNull();
  expect(pictureAddress(file('x.jpg', 'image', 0), 'mosaic', false)).toBeNull();
});

test('requests small pictures although the server does not resize originals for the previewer', () => {
  Object.assign(pageConfig, { ResizePreview: false });
  expect(pictureAddress(file('x.jpg', 'image'), 'mosaic', false)).toContain('/medium/');
});

test('uses small originals that browsers can show when thumbnails are off', () => {
  Object.assign(pageConfig, { EnableThumbs: false });
  expect(pictureAddress(file('x.jpg', 'image'), 'list', false)).toContain('/api/raw/a%20b/x.jpg');
  expect(pictureAddress(file('x.jpg', 'image', 2 ** 24), 'list', false)).toBeNull();
  expect(pictureAddress(file('x.heic', 'image'), 'list', false)).toBeNull();
  expect(pictureAddress(file('x.mp4', 'video'), 'list', false)).toBeNull();
});
