/** Reads and writes the numbers of a TIFF file in one byte order. */
export interface ByteOrder {
  u16(bytes: Buffer, at: number): number;
  u32(bytes: Buffer, at: number): number;
  setU16(bytes: Buffer, value: number, at: number): void;
  setU32(bytes: Buffer, value: number, at: number): void;
}

const littleEndian: ByteOrder = {
  u16: (bytes, at) => bytes.readUInt16LE(at),
  u32: (bytes, at) => bytes.readUInt32LE(at),
  setU16: (bytes, value, at) => void bytes.writeUInt16LE(value, at),
  setU32: (bytes, value, at) => void bytes.writeUInt32LE(value, at),
};

const bigEndian: ByteOrder = {
  u16: (bytes, at) => bytes.readUInt16BE(at),
  u32: (bytes, at) => bytes.readUInt32BE(at),
  setU16: (bytes, value, at) => void bytes.writeUInt16BE(value, at),
  setU32: (bytes, value, at) => void bytes.writeUInt32BE(value, at),
};

/** Returns the byte order that the beginning of a TIFF file declares; null for other files. */
export function byteOrderOf(head: Buffer): ByteOrder | null {
  const mark = head.toString('latin1', 0, 2);
  if (mark === 'II') return littleEndian;
  return mark === 'MM' ? bigEndian : null;
}
