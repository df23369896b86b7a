import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BucketContent, writeBolt } from '../../../test/fixtures/bolt-writer.ts';
import { type BoltBucket, BoltError, looksLikeBolt, openBolt } from './read-bolt.ts';

interface Contents {
  [key: string]: string | Contents;
}

/** Returns the content of a bucket, with keys and values as latin1. */
function contentsOf(bucket: BoltBucket): Contents {
  const contents: Contents = {};
  for (const entry of bucket.entries()) {
    const key = entry.key.toString('latin1');
    contents[key] = 'bucket' in entry ? contentsOf(entry.bucket) : entry.value.toString('latin1');
  }
  return contents;
}

const read = (file: Buffer): Contents => contentsOf(openBolt(file));

const many = (count: number, length = 30): BucketContent =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `key ${String(index).padStart(6, '0')}`,
      'v'.repeat(length),
    ]),
  );

test('values, inline buckets, buckets with their own pages and nested buckets are read', () => {
  const content = {
    config: { settings: '{"a":1}', version: '2' },
    empty: {},
    User: { ...many(3, 500), __storm_metadata: { codec: 'json', IDcounter: '\0\0\0\0\0\0\0\x03' } },
    bare: 'a value beside buckets',
  };
  expect(read(writeBolt(content))).toEqual(content);
});

test.each([1024, 4096, 16_384, 65_536])('pages of %i bytes are read', (pageSize) => {
  const content = { User: many(100), config: { settings: '{}' } };
  expect(read(writeBolt(content, { pageSize }))).toEqual(content);
});

test('thousands of keys below several levels of branch pages keep their order', () => {
  const content = { User: many(5_000) };
  const found = read(writeBolt(content));
  expect(found).toEqual(content);
  expect(Object.keys(found.User ?? {})).toEqual(Object.keys(content.User));
});

test('a value spanning many pages is read completely', () => {
  const content = { config: { settings: 'x'.repeat(100_000) }, User: { a: 'b' } };
  expect(read(writeBolt(content, { pageSize: 1024 }))).toEqual(content);
});

test.each([6, 7])(
  'the newer of the two headers is used, whichever page it is on (transaction %i)',
  (transaction) => {
    expect(read(writeBolt({ bucket: { key: 'new' } }, { transaction }))).toEqual({ bucket: { key: 'new' } });
  },
);

test.each([6, 7])('the older header is used if the newer one is damaged (transaction %i)', (transaction) => {
  const file = writeBolt({ bucket: { key: 'new' } }, { transaction });
  const newer = (transaction % 2) * 4096;
  file.writeUInt8(file.readUInt8(newer + 70) ^ 1, newer + 70);
  expect(read(file)).toEqual({});
});

test('two damaged headers, another format, a truncated file and another byte order have different errors', () => {
  const file = writeBolt({ bucket: { key: 'value' } });
  const damaged = Buffer.from(file);
  damaged.writeUInt8(damaged.readUInt8(73) ^ 1, 73);
  damaged.writeUInt8(damaged.readUInt8(4096 + 73) ^ 1, 4096 + 73);
  expect(() => openBolt(damaged)).toThrow('both headers of the database are damaged');
  expect(() => openBolt(Buffer.from('SQLite format 3\0 and more of it'))).toThrow('is not a database');
  expect(() => openBolt(Buffer.alloc(0))).toThrow('is not a database');
  const swapped = Buffer.alloc(4096);
  swapped.writeUInt32BE(0xed0cdaed, 16);
  expect(() => openBolt(swapped)).toThrow('big-endian');
  expect(() => read(file.subarray(0, 3 * 4096))).toThrow(BoltError);
  expect(looksLikeBolt(file)).toBe(true);
  expect(looksLikeBolt(Buffer.from('{"settings":{}}          '))).toBe(false);
});

/** Changes one element of the root page, which is the last page written. */
function withRoot(content: BucketContent, change: (page: Buffer, file: Buffer) => void): Buffer {
  const file = writeBolt(content);
  change(file.subarray(file.length - 4096), file);
  return file;
}
const rootNumber = (file: Buffer): number => file.length / 4096 - 1;

test('a branch that points to itself, to an ancestor or outside the file is refused', () => {
  const content = many(60);
  for (const target of [-1, 0, 1, 2, 1e6, 2 ** 60]) {
    const file = withRoot(content, (page, whole) => {
      const number = target === -1 ? rootNumber(whole) : target;
      page.writeBigUInt64LE(BigInt(number), 16 + 8);
    });
    expect(() => read(file), String(target)).toThrow(BoltError);
  }
});

test('elements that point outside their page and counts that do not fit are refused', () => {
  const content = { bucket: { key: 'value' } };
  for (const offset of [16 + 4, 16 + 8, 16 + 12]) {
    for (const value of [5000, 0xffff_ffff]) {
      const file = withRoot(content, (page) => page.writeUInt32LE(value, offset));
      expect(() => read(file), `${offset} ${value}`).toThrow(BoltError);
    }
  }
  expect(() => read(withRoot(content, (page) => page.writeUInt16LE(0xffff, 10)))).toThrow('more elements');
  expect(() => read(withRoot(content, (page) => page.writeUInt32LE(0xffff_ffff, 12)))).toThrow(
    'beyond the end',
  );
  expect(() => read(withRoot(content, (page) => page.writeUInt16LE(16, 8)))).toThrow(
    'neither branch nor leaf',
  );
  expect(() => read(withRoot(content, (page) => page.writeUInt32LE(99, 0)))).toThrow(
    'number of another page',
  );
});

test('two buckets that share a page are refused', () => {
  const file = withRoot({ one: many(9, 300), two: many(9, 300) }, (page) => {
    // Both bucket headers follow their keys, at the end of the element table.
    const head = 16 + 2 * 16 + 3;
    page.copy(page, head + 16 + 3, head, head + 8);
  });
  expect(() => read(file)).toThrow('used twice');
});

test('a file with any changed bytes is read or refused with our error in bounded time', () => {
  const file = writeBolt({ config: { settings: '{}' }, User: { ...many(60), inner: { a: 'b' } }, Link: {} });
  const change = fc.record({ at: fc.nat(file.length - 1), to: fc.integer({ min: 0, max: 255 }) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), fc.nat(file.length), (changes, length) => {
      const hostile = Buffer.from(file.subarray(0, length === 0 ? file.length : length));
      for (const { at, to } of changes) if (at < hostile.length) hostile[at] = to;
      readOrRefuse(hostile);
    }),
    { numRuns: 2_000 },
  );
});

test('deliberately damaged structures are read or refused with our error', () => {
  const file = writeBolt({ config: { settings: '{}' }, User: { ...many(60), inner: { a: 'b' } }, Link: {} });
  const field = fc.record({
    page: fc.integer({ min: 2, max: file.length / 4096 - 1 }),
    // The header or one of the first elements.
    offset: fc.constantFrom(0, 8, 10, 12, 16, 20, 24, 28, 32, 36, 40, 44),
    value: fc.oneof(fc.nat(20), fc.constantFrom(0x7fff_ffff, 0xffff_ffff, 0xffff, 4096, 65_536), fc.nat()),
  });
  fc.assert(
    fc.property(fc.array(field, { minLength: 1, maxLength: 8 }), (fields) => {
      const hostile = Buffer.from(file);
      for (const { page, offset, value } of fields) hostile.writeUInt32LE(value, page * 4096 + offset);
      readOrRefuse(hostile);
    }),
    { numRuns: 2_000 },
  );
});

test('random bytes are refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 10_000 }), (bytes) => readOrRefuse(Buffer.from(bytes))),
    { numRuns: 500 },
  );
});

/** Reads the first two levels like the import. */
function readOrRefuse(file: Buffer): void {
  try {
    for (const entry of openBolt(file).entries()) {
      if ('bucket' in entry) Array.from(entry.bucket.entries());
    }
  } catch (error) {
    expect(error).toBeInstanceOf(BoltError);
  }
}
