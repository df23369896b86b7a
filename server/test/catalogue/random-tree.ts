import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Random } from '../random.ts';
import { documentFormatOf } from '../../src/media-types/document-format.ts';

/** The names in the tree; repeated ones get a number. */
const folderNames = ['docs', 'Photos', '.private', 'secret', 'Müller', 'old', 'reports 2026'] as const;
const fileNames = [
  'report.pdf',
  'IMG.JPG',
  '.env',
  'notes.txt',
  'secret.key',
  'Straße.txt',
  'picture.png',
  'x',
] as const;

/** An entry of the tree on the disk. */
export interface TreeEntry {
  /** Names from the served folder. */
  readonly names: readonly string[];
  readonly kind: 'file' | 'folder' | 'link';
  readonly size: number;
  /** The text of a link. */
  readonly target?: string;
}

/** Whether a file is a picture, whose width in pixels is its number of bytes. */
export const isPicture = (names: readonly string[]): boolean => (names.at(-1) ?? '').endsWith('.png');

/** The words of texts, by their size: files of one size have the same. */
export const contentWords = ['heron', 'gannet', 'albatross'] as const;
/** Returns the word that the texts of a size contain. */
export const wordOf = (size: number): string => contentWords[size % contentWords.length] ?? '';

/** Whether the text of a file is searched. */
export const isText = ({ names, size }: Pick<TreeEntry, 'names' | 'size'>): boolean =>
  ['text', 'unknown'].includes(documentFormatOf(names.at(-1) ?? '', size) ?? '');

/** Returns the header of a picture for names of pictures, and equal contents for all other files of one size. */
function contentOf(names: readonly string[], size: number): Buffer {
  if (!isPicture(names)) return Buffer.alloc(size, `${wordOf(size)} `);
  const content = Buffer.alloc(size, 1);
  content.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  content.writeUInt32BE(size, 16);
  content.writeUInt32BE(1, 20);
  content.write('\x08\x06\0\0\0', 24, 'latin1');
  content.writeUInt32BE(crc32(content.subarray(12, 29)), 29);
  return content;
}

/** Creates a random tree. The sizes of its files are random, so that equal sums of different files are unlikely. */
export async function makeTree(root: string, random: Random, count: number): Promise<TreeEntry[]> {
  const folders: string[][] = [[]];
  const entries: TreeEntry[] = [];
  const known = new Set<string>();
  for (let i = 0; i < count; i++) {
    const parent = random.pick(folders);
    const kind =
      parent.length < 6 && random.below(3) === 0 ? 'folder' : random.below(12) === 0 ? 'link' : 'file';
    const base = kind === 'folder' ? random.pick(folderNames) : random.pick(fileNames);
    const plain = [...parent, base];
    const names = known.has(plain.join('/')) ? [...parent, base.replace(/(\.\w+)?$/, `-${i}$1`)] : plain;
    if (known.has(names.join('/'))) continue;
    known.add(names.join('/'));
    const path = join(root, ...names);
    // A few files have the same size, and with it the same contents.
    const isCopy = random.below(6) === 0;
    const size = kind === 'file' ? 1000 + (isCopy ? random.below(3) : random.below(100_000)) : 0;
    if (kind === 'link') {
      const target = random.pick(['/etc', '..', 'x', 'docs']);
      await symlink(target, path);
      entries.push({ names, kind, size, target });
      continue;
    }
    if (kind === 'folder') {
      await mkdir(path);
      folders.push(names);
    } else await writeFile(path, contentOf(names, size));
    entries.push({ names, kind, size });
  }
  return entries;
}
