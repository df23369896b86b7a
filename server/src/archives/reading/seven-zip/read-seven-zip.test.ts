import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { hasTool, pipeThrough } from '../../../../test/fixtures/archive-reading.ts';
import {
  type Crafted7z,
  type Crafted7zBlock,
  type Crafted7zCoder,
  craft7z,
  number7z,
} from '../../../../test/fixtures/crafted-7z.ts';
import { AppError } from '../../../errors.ts';
import type { OpenFile } from '../../../storage/storage.ts';
import { HeaderReader } from './header-reader.ts';
import { roundedDictionary } from './lzma-streams.ts';
import { readSevenZipContent, readSevenZipMembers } from './read-seven-zip.ts';

const text = 'all work and no play\n'.repeat(20_000);
/** Bytes like those of a program for x86: calls with addresses, which the filter changes. */
const program = Buffer.from(
  Array.from({ length: 30_000 }, (_, at) => (at % 50 === 0 ? 0xe8 : at % 50 < 4 ? (at * 7) & 0xff : 0x00)),
);

const latin1 = (bytes: Buffer | string): string => Buffer.from(bytes as Buffer).toString('latin1');

const fileOf = (bytes: Uint8Array): OpenFile => ({
  entry: { name: 'a.7z', kind: 'file', size: bytes.length, modifiedNs: 0n, mode: 0o100644, isSymlink: false },
  fingerprint: '',
  descriptor: null,
  async read(buffer, position) {
    const part = bytes.subarray(position, position + buffer.length);
    buffer.set(part);
    return part.length;
  },
  close: async () => undefined,
});

/** Returns the content of all files by their names, one character for each byte; null for folders. */
async function contentsOf(bytes: Uint8Array): Promise<Record<string, string | null>> {
  const file = fileOf(bytes);
  const contents: Record<string, string | null> = {};
  for (const member of await readSevenZipMembers(file)) {
    const pieces: Uint8Array[] = [];
    for await (const piece of readSevenZipContent(file, member)) pieces.push(Buffer.from(piece));
    contents[member.name] = member.kind === 'folder' ? null : latin1(Buffer.concat(pieces));
  }
  return contents;
}

/** Returns the code with which reading all contents fails, or null. */
async function codeOf(bytes: Uint8Array): Promise<unknown> {
  try {
    await contentsOf(bytes);
    return null;
  } catch (error) {
    return error instanceof AppError ? error.code : error;
  }
}

const xz =
  (...filters: string[]) =>
  (bytes: Buffer): Buffer =>
    pipeThrough('xz', ['--format=raw', '--stdout', ...filters], bytes);
/** A dictionary of 64 KiB, as the settings of LZMA2 and LZMA. */
const lzma2: Crafted7zCoder = { method: '21', settings: Buffer.of(8) };
const lzma: Crafted7zCoder = { method: '030101', settings: Buffer.of(0x5d, 0, 0, 1, 0) };
const xzLzma2 = '--lzma2=preset=6,dict=64KiB';
const xzLzma = '--lzma1=preset=6,dict=64KiB';

test('reads copied files, empty files and folders with their times and kinds', async () => {
  const modifiedMs = Date.parse('2021-06-05T04:03:02.500Z');
  const bytes = craft7z({
    blocks: [
      {
        entries: [
          { name: 'docs/a.txt', content: text, modifiedMs },
          { name: 'docs/Grüße 日本.txt', content: 'größe' },
        ],
      },
      { entries: [{ name: 'b.bin', content: program, attributes: 0x20 }] },
    ],
    entries: [{ name: 'empty.txt', content: '' }, { name: 'hollow' }],
  });
  const members = await readSevenZipMembers(fileOf(bytes));
  expect(members.map(({ path, kind, size, modifiedMs: time }) => [path, kind, size, time])).toEqual([
    ['/docs/a.txt', 'file', text.length, modifiedMs],
    ['/docs/Grüße 日本.txt', 'file', 7, null],
    ['/b.bin', 'file', program.length, null],
    ['/empty.txt', 'file', 0, null],
    ['/hollow', 'folder', 0, null],
  ]);
  expect(await contentsOf(bytes)).toEqual({
    'docs/a.txt': text,
    'docs/Grüße 日本.txt': latin1('größe'),
    'b.bin': latin1(program),
    'empty.txt': '',
    hollow: null,
  });
});

test('reads an archive without files', async () => {
  expect(await readSevenZipMembers(fileOf(craft7z({ change: () => Buffer.alloc(0) })))).toEqual([]);
});

const methods: [string, string | null, readonly Crafted7zCoder[], (bytes: Buffer) => Buffer][] = [
  ['deflate', null, [{ method: '040108' }], (bytes) => deflateRawSync(bytes)],
  ['bzip2', 'bzip2', [{ method: '040202' }], (bytes) => pipeThrough('bzip2', ['-c'], bytes)],
  ['LZMA2', 'xz', [lzma2], xz(xzLzma2)],
  ['LZMA', 'xz', [lzma], xz(xzLzma)],
  ['LZMA2 with a filter for x86', 'xz', [{ method: '03030103' }, lzma2], xz('--x86', xzLzma2)],
  ['LZMA with a filter for x86', 'xz', [{ method: '03030103' }, lzma], xz('--x86', xzLzma)],
  ['LZMA with a filter for ARM64', 'xz', [{ method: '0a' }, lzma], xz('--arm64', xzLzma)],
  [
    'LZMA2 with differences and a filter for ARM',
    'xz',
    [{ method: '07' }, { method: '03', settings: Buffer.of(3) }, lzma2],
    xz('--arm', '--delta=dist=4', xzLzma2),
  ],
];
for (const [name, tool, coders, pack] of methods) {
  test.skipIf(tool !== null && !hasTool(tool))(`decodes ${name}, one file of a block at a time`, async () => {
    const entries = [
      { name: 'program.exe', content: program },
      { name: 'text.txt', content: text },
      { name: 'end.txt', content: 'end' },
    ];
    const bytes = craft7z({ blocks: [{ entries, coders, pack }] });
    expect(await contentsOf(bytes)).toEqual({
      'program.exe': latin1(program),
      'text.txt': text,
      'end.txt': 'end',
    });
  });
}

test('applies a filter to files that are not compressed', async () => {
  const differences = (bytes: Buffer): Buffer =>
    bytes.map((value, at) => value - (bytes[at - 1] ?? 0)) as Buffer;
  const coders = [{ method: '03', settings: Buffer.of(0) }];
  const block = { entries: [{ name: 'a', content: text }], coders, pack: differences };
  expect(await contentsOf(craft7z({ blocks: [block] }))).toEqual({ a: text });
});

test.skipIf(!hasTool('xz'))('reads a header that is compressed', async () => {
  const blocks = [{ entries: [{ name: 'a.txt', content: text }], coders: [lzma2], pack: xz(xzLzma2) }];
  const bytes = craft7z({ blocks, header: { coder: lzma, pack: xz(xzLzma) } });
  expect(await contentsOf(bytes)).toEqual({ 'a.txt': text });
});

test('limits a dictionary to the size of the content', async () => {
  const huge = { ...lzma2, settings: Buffer.of(40) };
  const bytes = craft7z({ blocks: [{ entries: [{ name: 'a', content: 'a' }], coders: [huge] }] });
  const [member] = await readSevenZipMembers(fileOf(bytes));
  expect(member?.refusal).toBeUndefined();
  const large = { entries: [{ name: 'a', content: 'a', crc: null }], coders: [huge], size: 2 ** 40 };
  const [refused] = await readSevenZipMembers(fileOf(craft7z({ blocks: [large] })));
  expect(refused?.refusal).toBe('unsupported_archive_format');
});

test.each([
  [4096, 4096],
  [4097, 6144],
  [6145, 8192],
  [100_000_000, 100_663_296],
  [2 ** 32 - 1, 2 ** 32 - 1],
])('rounds a dictionary of %i bytes to %i, which liblzma recognizes', (bytes, rounded) => {
  expect(roundedDictionary(bytes)).toBe(rounded);
});

test.each([0, 1, 127, 128, 16_383, 16_384, 2 ** 28, 2 ** 35 + 5, 2 ** 42 + 1, 2 ** 49 + 3, 2 ** 53 - 1])(
  'reads the number %i in its variable length',
  (value) => {
    expect(new HeaderReader(number7z(value)).number()).toBe(value);
  },
);

const sample: Crafted7z = {
  blocks: [
    {
      entries: [
        { name: 'a', content: 'aaa' },
        { name: 'b', content: 'bb', modifiedMs: 0 },
      ],
    },
    {
      entries: [{ name: 'c', content: 'c' }],
      coders: [{ method: '040108' }],
      pack: (bytes) => deflateRawSync(bytes),
    },
  ],
  entries: [{ name: 'd' }, { name: 'e', content: '', attributes: 0x20 }],
};
const headerOf = (bytes: Buffer): Buffer => bytes.subarray(32 + Number(bytes.readBigUInt64LE(12)));

test('a header that ends at any byte is damaged', async () => {
  const { length } = headerOf(craft7z(sample));
  const codes = new Set<unknown>();
  for (let end = 1; end < length; end++)
    codes.add(await codeOf(craft7z({ ...sample, change: (header) => header.subarray(0, end) })));
  expect([...codes]).toEqual(['archive_damaged']);
});

test('a header in which any byte is changed is read or refused, and nothing else fails', async () => {
  const { length } = headerOf(craft7z(sample));
  const failures: unknown[] = [];
  for (let at = 0; at < length; at++) {
    for (const value of [0x00, 0x7f, 0xff]) {
      const code = await codeOf(
        craft7z({
          ...sample,
          change(header) {
            header[at] = value;
            return header;
          },
        }),
      );
      if (code !== null && typeof code !== 'string') failures.push([at, value, code]);
    }
  }
  expect(failures).toEqual([]);
});

const block = (change: Partial<Crafted7zBlock>): Crafted7z => ({
  blocks: [{ entries: [{ name: 'a', content: text }], ...change }],
});
test.each<[string, () => Buffer, string]>([
  ['a text', () => Buffer.from(text), 'unsupported_archive_format'],
  ['an empty file', () => Buffer.alloc(0), 'unsupported_archive_format'],
  ['an archive that is cut', () => craft7z(block({})).subarray(0, -10), 'archive_damaged'],
  ['a wrong checksum of the beginning', () => withByte(craft7z(block({})), 12), 'archive_damaged'],
  ['a wrong checksum of the header', () => withByte(craft7z(block({})), -3), 'archive_damaged'],
  [
    'a wrong checksum of a file',
    () => craft7z(block({ entries: [{ name: 'a', content: text, crc: 1 }] })),
    'archive_damaged',
  ],
  [
    'a block that is shorter than declared',
    () => craft7z(block({ size: text.length + 1 })),
    'archive_damaged',
  ],
  [
    'files that are larger than their block',
    () =>
      craft7z(
        block({
          entries: [
            { name: 'a', content: text },
            { name: 'b', content: 'b' },
          ],
          size: 5,
        }),
      ),
    'archive_damaged',
  ],
  [
    'packed data that are damaged',
    () => craft7z(block({ coders: [{ method: '040108' }] })),
    'archive_damaged',
  ],
  [
    'packed data outside of the archive',
    () => craft7z({ ...block({}), change: (header) => replaceAfter(header, 0x06, number7z(2 ** 40)) }),
    'archive_damaged',
  ],
  [
    'encrypted files',
    () => craft7z(block({ coders: [{ method: '06f10701', settings: Buffer.alloc(18) }] })),
    'archive_encrypted',
  ],
  [
    'encrypted names',
    () => craft7z({ ...block({}), header: { coder: { method: '06f10701' }, pack: (bytes) => bytes } }),
    'archive_encrypted',
  ],
  [
    'the method PPMd',
    () => craft7z(block({ coders: [{ method: '030401', settings: Buffer.alloc(5) }] })),
    'unsupported_archive_format',
  ],
  [
    'a coder with four inputs',
    () => craft7z(block({ coders: [{ method: '0303011b', inputs: 4 }] })),
    'unsupported_archive_format',
  ],
  [
    'more files than the limit',
    () => craft7z({ change: () => Buffer.concat([Buffer.of(1, 5), number7z(200_001), Buffer.of(0, 0)]) }),
    'archive_too_large',
  ],
])('%s is refused', async (_, bytes, code) => {
  expect(await codeOf(bytes())).toBe(code);
});

/** Inverts a byte; a negative position counts from the end. */
function withByte(bytes: Buffer, position: number): Buffer {
  const at = position < 0 ? bytes.length + position : position;
  bytes[at] = ~(bytes[at] ?? 0) & 0xff;
  return bytes;
}

/** Replaces the byte after the first property `id`. */
function replaceAfter(header: Buffer, id: number, value: Buffer): Buffer {
  const at = header.indexOf(id);
  return Buffer.concat([header.subarray(0, at + 1), value, header.subarray(at + 2)]);
}

test('a header that is packed in itself is refused', async () => {
  // An encoded header whose packed data, copied, are its own 18 bytes.
  const self = Buffer.of(0x17, 6, 0, 1, 9, 18, 0, 7, 0x0b, 1, 0, 1, 1, 0, 0x0c, 18, 0, 0);
  expect(await codeOf(craft7z({ change: () => self }))).toBe('archive_damaged');
});

test('links are recognized by attributes, and marks of deleted files are left out', async () => {
  const bytes = craft7z({
    blocks: [
      {
        entries: [
          { name: 'unix link', content: '/etc/passwd', attributes: 0x8000 | (0o120777 << 16) },
          { name: 'windows link', content: 'C:', attributes: 0x400 },
          { name: 'pipe', content: 'x', attributes: 0x8000 | (0o010644 << 16) },
          { name: '../evil.txt', content: 'evil' },
        ],
      },
    ],
    entries: [{ name: 'deleted', content: '', isAnti: true }],
  });
  const members = await readSevenZipMembers(fileOf(bytes));
  expect(members.map(({ name, kind, path }) => [name, kind, path])).toEqual([
    ['unix link', 'link', '/unix link'],
    ['windows link', 'link', '/windows link'],
    ['pipe', 'special', '/pipe'],
    ['../evil.txt', 'file', null],
  ]);
});
