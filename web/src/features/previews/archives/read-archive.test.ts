import { zipSync, strToU8, type Zippable } from 'fflate';
import { expect, test } from 'vitest';
import type { ReadRange } from './archive-entries.ts';
import { buildArchiveTree } from './archive-tree.ts';
import { readTar, tarFromRanges, tarFromStream } from './read-tar.ts';
import { readZip } from './read-zip.ts';

const rangesOf =
  (bytes: Uint8Array): ReadRange =>
  (first, last) =>
    Promise.resolve(new Uint8Array(bytes.slice(first, last + 1)));

const list = (bytes: Uint8Array) => readZip(bytes.length, rangesOf(bytes));

test('lists a zip archive by its central directory', async () => {
  const files: Zippable = {
    'Docs/': new Uint8Array(),
    'Docs/ä.txt': strToU8('hello'),
    'b.txt': strToU8('x'.repeat(500)),
  };
  const { entries, isPartial } = await list(zipSync(files));
  expect(isPartial).toBe(false);
  expect(entries.map(({ name, isFolder, size }) => [name, isFolder, size])).toEqual([
    ['Docs', true, 0],
    ['Docs/ä.txt', false, 5],
    ['b.txt', false, 500],
  ]);
});

test('reports whether the files of an archive are encrypted', async () => {
  const bytes = zipSync({ a: strToU8('a'), b: strToU8('b') });
  expect((await list(bytes)).isEncrypted).toBe(false);
  const view = new DataView(bytes.buffer);
  const directory = view.getUint32(bytes.length - 22 + 16, true);
  view.setUint16(directory + 8, view.getUint16(directory + 8, true) | 1, true);
  expect((await list(bytes)).isEncrypted).toBe(true);
});

test.each([
  ['data that is too short', new Uint8Array(5)],
  ['data without an end record', new Uint8Array(100)],
])('rejects %s as a zip archive', async (_, bytes) => {
  await expect(list(bytes)).rejects.toThrow();
});

test('rejects a central directory outside the archive', async () => {
  const bytes = zipSync({ a: strToU8('a') });
  new DataView(bytes.buffer).setUint32(bytes.length - 22 + 16, 0x7fffffff, true);
  await expect(list(bytes)).rejects.toThrow();
});

test('reads only the first ten thousand of a million entries, and fetches no more bytes than they need', async () => {
  const count = 1_000_000;
  const entryBytes = 46 + 8;
  const size = count * entryBytes + 22;
  let fetched = 0;
  const read: ReadRange = (first, last) => {
    const bytes = new Uint8Array(last - first + 1);
    fetched += bytes.length;
    const view = new DataView(bytes.buffer);
    if (last === size - 1) {
      const end = bytes.length - 22;
      view.setUint32(end, 0x06054b50, true);
      // Only zip64 can declare more than 65,535 entries. This field is wrong on purpose, as a hostile archive's may
      // be.
      view.setUint16(end + 10, 0xfffe, true);
      view.setUint32(end + 12, count * entryBytes, true);
      view.setUint32(end + 16, 0, true);
      return Promise.resolve(bytes);
    }
    for (let at = 0; at + entryBytes <= bytes.length; at += entryBytes) {
      view.setUint32(at, 0x02014b50, true);
      view.setUint16(at + 28, 8, true);
      bytes.set(strToU8(String(at / entryBytes).padStart(8, '0')), at + 46);
    }
    return Promise.resolve(bytes);
  };
  const { entries, isPartial, total } = await readZip(size, read);
  expect(entries.length).toBe(10_000);
  expect(total).toBe(0xfffe);
  expect(isPartial).toBe(true);
  expect(fetched).toBeLessThan(5 * 1024 * 1024);
});

function tarHeader(name: string, size: number, type = '0', modified?: Uint8Array): Uint8Array {
  const block = new Uint8Array(512);
  const writeText = (text: string, at: number) => block.set(strToU8(text), at);
  writeText(name, 0);
  writeText(`${size.toString(8).padStart(11, '0')}\0`, 124);
  writeText(`${(1_700_000_000).toString(8).padStart(11, '0')}\0`, 136);
  if (modified) block.set(modified, 136);
  writeText(type, 156);
  writeText('ustar\x0000', 257);
  writeText(' '.repeat(8), 148);
  const sum = block.reduce((total, byte) => total + byte, 0);
  writeText(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

const blocks = (text: string): Uint8Array => {
  const bytes = new Uint8Array(Math.ceil(text.length / 512) * 512);
  bytes.set(strToU8(text));
  return bytes;
};

function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const longName = `deep/${'n'.repeat(150)}.txt`;
const tar = join(
  tarHeader('./docs/', 0, '5'),
  tarHeader('docs/a.txt', 700),
  blocks('x'.repeat(700)),
  tarHeader('././@LongLink', longName.length, 'L'),
  blocks(longName),
  tarHeader('cut', 3),
  blocks('abc'),
  tarHeader('link', 0, '2'),
  new Uint8Array(1024),
);
const tarEntries = [
  ['docs', true, 0],
  ['docs/a.txt', false, 700],
  [longName, false, 3],
  ['link', false, 0],
];

test('lists a tar archive equally from byte ranges and from a stream', async () => {
  const byParts = await readTar(tarFromRanges(tar.length, rangesOf(tar)));
  expect(byParts.entries.map(({ name, isFolder, size }) => [name, isFolder, size])).toEqual(tarEntries);
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      for (let at = 0; at < tar.length; at += 300) controller.enqueue(tar.slice(at, at + 300));
      controller.close();
    },
  });
  expect(await readTar(tarFromStream(stream))).toEqual(byParts);
});

test('rejects data that is not a tar archive, and reports a truncated one as partial', async () => {
  const noise = new Uint8Array(2048).fill(65);
  await expect(readTar(tarFromRanges(noise.length, rangesOf(noise)))).rejects.toThrow();
  const broken = join(tar.subarray(0, 512), noise);
  expect((await readTar(tarFromRanges(broken.length, rangesOf(broken)))).isPartial).toBe(true);
});

test('omits a modification time outside the range of dates', async () => {
  // 2^50 seconds in binary (GNU).
  const late = new Uint8Array(12);
  late.set([0x80, 0, 0, 0, 0, 4]);
  const bytes = join(tarHeader('late', 0, '0', late), tarHeader('known', 0), new Uint8Array(1024));
  const { entries } = await readTar(tarFromRanges(bytes.length, rangesOf(bytes)));
  expect(entries.map(({ name, modifiedMs }) => [name, modifiedMs])).toEqual([
    ['late', null],
    ['known', 1_700_000_000_000],
  ]);
});

test('ends the list at an extended header of excessive size', async () => {
  const bytes = join(tarHeader('a', 0), tarHeader('x', 8 ** 10, 'x'));
  const { entries, isPartial } = await readTar(tarFromRanges(bytes.length, rangesOf(bytes)));
  expect([entries.length, isPartial]).toEqual([1, true]);
});

test('adds missing folders, and treats path traversal as ordinary names', () => {
  const entry = (name: string, size = 1, isFolder = false) => ({ name, isFolder, size, modifiedMs: null });
  const entries = [
    entry('a/b/c.txt', 5),
    entry('z.txt'),
    entry('../../etc/passwd'),
    entry('a', 0, true),
    entry('__proto__/x'),
  ];
  const tree = buildArchiveTree(entries, (a, b) => (a < b ? 1 : -1));
  expect(tree.children.map(({ name, size }) => [name, size])).toEqual([
    ['a', 5],
    ['__proto__', 1],
    ['..', 1],
    ['z.txt', 1],
  ]);
  expect(tree.size).toBe(8);
});
