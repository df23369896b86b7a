import { expect, test } from 'vitest';
import { collectChosen, collectPasted } from './collect-chosen.ts';
import { collectDropped, walkEntries } from './collect-dropped.ts';
import { takeDropped } from './take-dropped.ts';
import { countTopLevel } from './upload-item.ts';

/** A file system entry as in Chromium: folders return their children in batches of 100, then an empty one. */
type Tree = { [name: string]: Tree | string };

const fileSystem = {} as FileSystem;
function entryOf(name: string, content: Tree | string): FileSystemEntry {
  const shared = { name, fullPath: `/${name}`, filesystem: fileSystem, getParent: () => undefined };
  if (typeof content === 'string') {
    const entry: FileSystemFileEntry = {
      ...shared,
      isFile: true,
      isDirectory: false,
      file: (resolve, reject) =>
        content === 'unreadable'
          ? reject?.(new DOMException('no', 'NotReadableError'))
          : resolve(new File([content], name)),
    };
    return entry;
  }
  const folder = {
    ...shared,
    isFile: false,
    isDirectory: true,
    createReader: () => {
      const left = Object.entries(content).map(([child, inner]) => entryOf(child, inner));
      return { readEntries: (resolve: (batch: FileSystemEntry[]) => void) => resolve(left.splice(0, 100)) };
    },
  };
  return folder as unknown as FileSystemEntry;
}

const pathsOf = (items: readonly { relativePath: string }[]) => items.map((item) => item.relativePath);

test('walks a dropped folder completely, each folder before its content, including empty ones', async () => {
  const { items, unreadable } = await walkEntries([
    entryOf('photos', { 'a.jpg': 'a', empty: {}, lisbon: { 'tram.jpg': 't' } }),
    entryOf('loose.txt', 'x'),
  ]);
  expect(pathsOf(items)).toEqual([
    'photos',
    'photos/a.jpg',
    'photos/empty',
    'photos/lisbon',
    'photos/lisbon/tram.jpg',
    'loose.txt',
  ]);
  expect(items.map((item) => item.kind)).toEqual(['folder', 'file', 'folder', 'folder', 'file', 'file']);
  expect(unreadable).toEqual([]);
  expect(countTopLevel(items)).toBe(2);
});

test('reads more than one batch of entries', async () => {
  const many = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`f${index}`, 'x']));
  const { items } = await walkEntries([entryOf('many', many)]);
  expect(items).toHaveLength(251);
});

test('does not overflow the stack for a very deep tree', async () => {
  let tree: Tree = { 'deep.txt': 'x' };
  for (let depth = 0; depth < 5000; depth += 1) tree = { d: tree };
  const { items } = await walkEntries([entryOf('top', tree)]);
  expect(items).toHaveLength(5002);
});

test('reports unreadable entries and continues with the rest', async () => {
  const { items, unreadable } = await walkEntries([entryOf('a', { bad: 'unreadable', 'good.txt': 'x' })]);
  expect(pathsOf(items)).toEqual(['a', 'a/good.txt']);
  expect(unreadable).toEqual(['a/bad']);
});

test('takes the entries of a drop before it awaits anything', async () => {
  let isOver = false;
  const item = {
    kind: 'file',
    webkitGetAsEntry: () => (isOver ? null : entryOf('a.txt', 'x')),
    getAsFile: () => null,
  };
  const text = { kind: 'string', webkitGetAsEntry: () => null, getAsFile: () => null };
  const picture = { kind: 'file', webkitGetAsEntry: () => null, getAsFile: () => new File(['p'], 'p.png') };
  const collected = collectDropped(
    takeDropped({ items: [text, item, picture, item] } as unknown as DataTransfer),
  );
  isOver = true;
  expect(pathsOf((await collected).items)).toEqual(['a.txt', 'a.txt', 'p.png']);
});

test('derives the folders of a folder input, each once and before its files', () => {
  const chosen = ['p/a.txt', 'p/q/b.txt', 'p/q/c.txt'].map((path) => {
    const file = new File(['x'], path.slice(path.lastIndexOf('/') + 1));
    Object.defineProperty(file, 'webkitRelativePath', { value: path });
    return file;
  });
  const { items } = collectChosen(chosen);
  expect(pathsOf(items)).toEqual(['p', 'p/a.txt', 'p/q', 'p/q/b.txt', 'p/q/c.txt']);
  expect(pathsOf(collectChosen([new File(['x'], 'plain.txt')]).items)).toEqual(['plain.txt']);
});

test('adds the time to the name of a pasted picture, and keeps the name of a pasted file', () => {
  const now = new Date(2026, 10, 21, 14, 2, 33);
  const clipboard = { files: [new File(['p'], 'image.png'), new File(['n'], 'notes.txt')] };
  const nameOfImage = (time: string) => `Pasted image ${time}`;
  expect(pathsOf(collectPasted(clipboard.files, nameOfImage, now).items)).toEqual([
    'Pasted image 2026-11-21 14.02.33.png',
    'notes.txt',
  ]);
});
