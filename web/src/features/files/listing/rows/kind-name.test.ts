import type { EntryType } from '@filestead/contract/files';
import { expect, test } from 'vitest';
import { kindName } from './kind-name.ts';

test.each<[name: string, type: EntryType, text: string]>([
  ['Photos', '', 'Folder'],
  ['gone', 'invalid_link', 'Invalid link'],
  ['a.jpg', 'image', 'JPEG image'],
  ['a.HEIC', 'image', 'HEIC image'],
  ['scan', 'image', 'Image'],
  ['song.m4a', 'audio', 'M4A audio'],
  ['book.pdf', 'pdf', 'PDF'],
  ['letter.docx', 'blob', 'Word document'],
  ['letter.odt', 'blob', 'Document'],
  ['budget.xlsx', 'blob', 'Excel workbook'],
  ['table.csv', 'text', 'Spreadsheet'],
  ['talk.pptx', 'blob', 'PowerPoint'],
  ['backup.sh', 'text', 'Shell script'],
  ['main.ts', 'text', 'TypeScript file'],
  ['notes.md', 'text', 'Markdown'],
  ['notes.txt', 'text', 'Text'],
  ['all.zip', 'blob', 'ZIP archive'],
  ['something', 'blob', 'File'],
  ['a.backup-of-yesterday', 'blob', 'File'],
])('names the kind of %s of type "%s" %s', (name, type, text) => {
  expect(kindName({ name, type, isFolder: type === '' })).toBe(text);
});
