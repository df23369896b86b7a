import type { EntryType } from '@filestead/contract/files';
import { expect, test } from 'vitest';
import { lowerCaseExtension, fileKind } from './file-kind.ts';

test.each<[name: string, type: EntryType, kind: string]>([
  ['Photos', '', 'folder'],
  ['gone', 'invalid_link', 'broken'],
  ['a.JPG', 'image', 'image'],
  ['renamed.dat', 'image', 'image'],
  ['raw.nef', 'blob', 'image'],
  ['film.mkv', 'video', 'video'],
  ['book.pdf', 'pdf', 'pdf'],
  ['letter.docx', 'blob', 'document'],
  ['table.csv', 'text', 'sheet'],
  ['table.xlsx', 'blob', 'sheet'],
  ['main.ts', 'text', 'code'],
  ['notes.md', 'text', 'text'],
  ['Makefile', 'text', 'code'],
  ['all.tar.gz', 'blob', 'archive'],
  ['text.zip', 'text', 'text'],
  ['Inter.woff2', 'blob', 'font'],
  ['.bashrc', 'text', 'text'],
  ['slides.pptx', 'blob', 'slides'],
  ['novel.epub', 'blob', 'book'],
  ['mail.eml', 'text', 'mail'],
  ['disk.iso', 'blob', 'disc'],
  ['home.sqlite', 'blob', 'data'],
  ['server.pem', 'text', 'key'],
  ['talk.key', 'blob', 'slides'],
  ['something', 'blob', 'other'],
])('%s of type "%s" is shown as %s', (name, type, kind) => {
  expect(fileKind({ name, type, isFolder: type === '' })).toBe(kind);
});

test.each([
  ['a.TXT', 'txt'],
  ['.hidden', ''],
  ['none', ''],
  ['two.tar.gz', 'gz'],
])('returns the extension of %s as "%s"', (name, extension) => {
  expect(lowerCaseExtension(name)).toBe(extension);
});
