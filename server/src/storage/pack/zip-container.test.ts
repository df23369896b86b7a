import { expect, test } from 'vitest';
import { hasTool, pipeThrough } from '../../../test/fixtures/archive-reading.ts';
import { ZipContainer } from './zip-container.ts';

test.skipIf(!hasTool('python3'))(
  'a zip of more than 65,535 entries uses zip64 and can be read by other programs',
  () => {
    const count = 66_000;
    const container = new ZipContainer();
    const pieces: Buffer[] = [];
    // Returned bytes are valid until the next call only.
    const add = (bytes: Uint8Array): void => void pieces.push(Buffer.from(bytes));
    for (let index = 0; index < count; index++) {
      const content = Buffer.from(`${index}`);
      const metadata = { size: content.length, modifiedMs: 1_709_287_200_000, mode: 0o644 };
      add(container.smallFile(`many/${index}`, metadata, content));
      add(content);
      add(container.trailer());
    }
    for (const bytes of container.end()) add(bytes);
    const archive = Buffer.concat(pieces);
    // Python ignores the number in the end record, which other readers check (APPNOTE 4.3.14).
    const end64 = archive.lastIndexOf(Buffer.from('PK\x06\x06', 'latin1'));
    expect(end64).toBeGreaterThan(0);
    expect(archive.readBigUInt64LE(end64 + 32)).toBe(BigInt(count));
    const script =
      'import sys,io,zipfile;z=zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()));' +
      'assert all(z.read(f"many/{i}") == str(i).encode() for i in range(0, 66000, 500));' +
      'print(len(z.namelist()), z.read("many/65999").decode())';
    expect(pipeThrough('python3', ['-c', script], archive).toString()).toBe(`${count} 65999\n`);
  },
);

test('a member that begins after 4 GiB has its offset in the central directory (APPNOTE 4.5.3)', () => {
  const container = new ZipContainer();
  const large = 5 * 1024 ** 3;
  const metadata = { modifiedMs: 1_709_287_200_000, mode: 0o644 };
  const header = container.compressedFile('large', { ...metadata, size: large }).length;
  const trailer = container.compressedTrailer(large).length;
  container.smallFile('small', { ...metadata, size: 0 }, new Uint8Array());
  container.trailer();
  const central = Buffer.concat(Array.from(container.end(), (bytes) => Buffer.from(bytes)));
  const record = central.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
  expect(central.readUInt32LE(record + 42)).toBe(0xffffffff);
  const extra = central.subarray(record + 46 + 'small'.length);
  // After the timestamp of 9 bytes: the tag, the length, and the only field.
  expect([extra.readUInt16LE(9), extra.readUInt16LE(11)]).toEqual([1, 8]);
  expect(extra.readBigUInt64LE(13)).toBe(BigInt(header + large + trailer));
});
