/** Uncompressed pixels: rows from the top, with interleaved samples. */
export interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, and alpha when there are four. */
  readonly channels: 3 | 4;
}

const tiffHeadBytes = 8;
const tiffEntryBytes = 12;

/**
 * Returns the pixels as a TIFF file with the color profile `profile`, which raw pixels cannot have. Baseline TIFF 6.0
 * with uncompressed rows; tag 34675 contains the profile (ICC.1 §B.4).
 */
export function asTiff({ data, width, height, channels }: Pixels, profile: Buffer): Buffer {
  const short = 3;
  const long = 4;
  const undefinedBytes = 7;
  const entries = [
    { tag: 256, type: long, count: 1, value: width },
    { tag: 257, type: long, count: 1, value: height },
    { tag: 258, type: short, count: channels, value: 0 },
    { tag: 259, type: short, count: 1, value: 1 },
    { tag: 262, type: short, count: 1, value: 2 },
    { tag: 273, type: long, count: 1, value: 0 },
    { tag: 277, type: short, count: 1, value: channels },
    { tag: 278, type: long, count: 1, value: height },
    { tag: 279, type: long, count: 1, value: data.length },
    ...(channels === 4 ? [{ tag: 338, type: short, count: 1, value: 2 }] : []),
    { tag: 34_675, type: undefinedBytes, count: profile.length, value: 0 },
  ];
  const bitsAt = tiffHeadBytes + 2 + entries.length * tiffEntryBytes + 4;
  const profileAt = bitsAt + channels * 2;
  const pixelsAt = profileAt + profile.length + (profile.length % 2);
  const head = Buffer.alloc(pixelsAt);
  head.write('II', 0, 'latin1');
  head.writeUInt16LE(42, 2);
  head.writeUInt32LE(tiffHeadBytes, 4);
  head.writeUInt16LE(entries.length, tiffHeadBytes);
  for (const [index, { tag, type, count, value }] of entries.entries()) {
    const at = tiffHeadBytes + 2 + index * tiffEntryBytes;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(count, at + 4);
    const offset = { 258: bitsAt, 273: pixelsAt, 34_675: profileAt }[tag] ?? value;
    if (type === short && count === 1) head.writeUInt16LE(offset, at + 8);
    else head.writeUInt32LE(offset, at + 8);
  }
  for (let channel = 0; channel < channels; channel += 1) head.writeUInt16LE(8, bitsAt + channel * 2);
  profile.copy(head, profileAt);
  return Buffer.concat([head, data]);
}
