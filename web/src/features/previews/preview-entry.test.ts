import type { EntryType } from '@filestead/contract/files';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test } from 'vitest';
import { neighborsOf, previewKindOf, type PreviewEntry } from './preview-entry.ts';

const entry = (name: string, type: EntryType): PreviewEntry => ({
  path: virtualPath(`/${name}`),
  name,
  type,
  size: 1,
  modifiedMs: 1,
});

test.each([
  ['a.jpg', 'image', 'image'],
  ['a.svg', 'image', 'image'],
  ['a.TIF', 'image', 'image'],
  ['a.nef', 'image', 'image'],
  ['a.heic', 'image', 'image'],
  ['a.mp3', 'audio', 'audio'],
  ['a.mkv', 'video', 'video'],
  ['a.pdf', 'pdf', 'pdf'],
  ['a.zip', 'blob', 'archive'],
  ['a.TAR.GZ', 'blob', 'archive'],
  ['a.gz', 'blob', 'none'],
  ['a.docx', 'blob', 'word'],
  ['a.toString', 'blob', 'none'],
  ['a', 'invalid_link', 'none'],
] as const)('previews %s of type %s as %s', (name, type, kind) => {
  expect(previewKindOf(entry(name, type))).toBe(kind);
});

const folder = [
  entry('docs', ''),
  entry('1.jpg', 'image'),
  entry('2.txt', 'text'),
  entry('3.pdf', 'pdf'),
  entry('4.zip', 'blob'),
  entry('5.mp4', 'video'),
];
const summarize = (name: string) => {
  const { position, count, previous, next } = neighborsOf(folder, virtualPath(`/${name}`));
  return [position, count, previous?.name ?? null, next?.name ?? null];
};

test('stops previous and next only at images, videos, recordings and unknown files', () => {
  expect(summarize('1.jpg')).toEqual([1, 3, null, '4.zip']);
  expect(summarize('4.zip')).toEqual([2, 3, '1.jpg', '5.mp4']);
  expect(summarize('5.mp4')).toEqual([3, 3, '4.zip', null]);
});

test('gives a PDF neighbors but no position, and a deleted file neither', () => {
  expect(summarize('3.pdf')).toEqual([null, 3, '1.jpg', '4.zip']);
  expect(summarize('gone.jpg')).toEqual([null, 3, null, null]);
});
