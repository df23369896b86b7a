import type { EntryType } from '@filestead/contract/files';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import type { PreviewEntry } from '../preview-entry.ts';
import { nextSlide } from './next-slide.ts';

const entry = (name: string, type: EntryType, size = 10): PreviewEntry => ({
  path: virtualPath(`/${name}`),
  name,
  type,
  size,
  modifiedMs: 0,
});
const siblings = [
  entry('1.jpg', 'image'),
  entry('2.mp3', 'audio'),
  entry('3.bin', 'blob'),
  entry('4.mp4', 'video'),
  entry('empty.jpg', 'image', 0),
];
const nextName = (name: string) => nextSlide(siblings, virtualPath(`/${name}`))?.name;

test('skips other files and empty pictures, and begins again after the last one', () => {
  expect(nextName('1.jpg')).toBe('4.mp4');
  expect(nextName('2.mp3')).toBe('4.mp4');
  expect(nextName('4.mp4')).toBe('1.jpg');
});

test('begins at the first picture when the file is no longer in the folder', () => {
  expect(nextName('gone.jpg')).toBe('1.jpg');
});

test('finds nothing without another picture or video', () => {
  expect(nextSlide(siblings.slice(0, 3), virtualPath('/1.jpg'))).toBeNull();
  expect(nextSlide([], virtualPath('/1.jpg'))).toBeNull();
});
