import { maxTextBytes } from '@filestead/contract/values/limits';
import { expect, test } from 'vitest';
import { listedTypeIndex, openedType, typeAt } from './entry-type.ts';

const listed = (name: string, size = 10): string =>
  typeAt(listedTypeIndex('file', name.slice(name.lastIndexOf('.')), size));

test.each([
  ['a.mp4', 'video'],
  ['a.MP4', 'video'],
  ['a.mp3', 'audio'],
  ['a.svg', 'image'],
  ['a.cr2', 'image'],
  ['a.pdf', 'pdf'],
  ['a.ts', 'text'],
  ['a.json', 'text'],
  ['a.sh', 'text'],
  ['a.zip', 'blob'],
  ['a.exe', 'blob'],
  ['a.unknown', 'text'],
])('the file %s is listed with the type %s', (name, type) => {
  expect(listed(name)).toBe(type);
});

test('text is editable up to 10 MiB, including the limit', () => {
  expect(listed('a.txt', maxTextBytes)).toBe('text');
  expect(listed('a.txt', maxTextBytes + 1)).toBe('blob');
  expect(listed('a.mp4', maxTextBytes + 1)).toBe('video');
});

test.each([
  ['.sh', '#!/bin/sh\n', 'text'],
  ['.zip', 'PK\x03\x04\x14\0', 'blob'],
  ['.zip', 'not a zip', 'text'],
  ['.txt', 'a\0b', 'text'],
  ['', '\x89PNG\r\n\x1a\n\0', 'image'],
  ['', '', 'text'],
  ['', 'a\0b', 'blob'],
])('an opened file with extension %j and content %j is %s', (extension, content, type) => {
  expect(openedType(extension, content.length, Buffer.from(content, 'latin1'))).toBe(type);
});
