import * as fc from 'fast-check';

/** Returns files that differ from `seed` in some bytes, and may be truncated. */
export const damaged = (seed: Buffer): fc.Arbitrary<Buffer> =>
  fc
    .record({
      // The headers determine how a file is parsed, so most changes are made there.
      changes: fc.array(
        fc.tuple(
          fc.integer({ min: 0, max: Math.min(seed.length, 700) - 1 }),
          fc.integer({ min: 0, max: 255 }),
        ),
        { maxLength: 12 },
      ),
      length: fc.oneof(fc.constant(seed.length), fc.integer({ min: 0, max: seed.length })),
    })
    .map(({ changes, length }) => {
      const copy = Buffer.from(seed.subarray(0, length));
      for (const [at, value] of changes) if (at < copy.length) copy[at] = value;
      return copy;
    });

/** Returns an open file of `bytes` that claims to have `size` bytes, and the numbers of bytes and reads so far. */
export function countedFile(bytes: Buffer, size = bytes.length) {
  const counted = { bytes: 0, reads: 0 };
  const file = {
    entry: { name: 'x', kind: 'file', size, modifiedNs: 0n, mode: 0, isSymlink: false } as const,
    read: async (buffer: Uint8Array, position: number) => {
      counted.reads += 1;
      const part = bytes.subarray(position, position + buffer.length);
      buffer.set(part);
      counted.bytes += part.length;
      return part.length;
    },
  };
  return { file, counted };
}
