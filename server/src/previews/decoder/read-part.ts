import fs from 'node:fs';
import type { FilePart } from './protocol.ts';

/** The part cannot be opened by this process. */
export class UnopenedPartError extends Error {
  override readonly name = 'UnopenedPartError';
}

/** Maximum size of the buffer that is reused for the next picture. Most photographs fit. */
const maxReusedBytes = 16 * 1024 * 1024;
let reused = Buffer.alloc(0);

/** Returns a buffer of `length` bytes, which is valid until the next call. */
function bufferFor(length: number): Buffer {
  if (length > maxReusedBytes) return Buffer.allocUnsafeSlow(length);
  if (reused.length < length) reused = Buffer.allocUnsafeSlow(length);
  return reused.subarray(0, length);
}

/**
 * Reads a part of a file that the server has opened, without copying the bytes through the server. The result is valid
 * until the next call, and shorter when the file ends early. Throws {@link UnopenedPartError}.
 */
export function readPart({ address, position, length }: FilePart): Buffer {
  let descriptor: number;
  try {
    descriptor = fs.openSync(address, 'r');
  } catch (error) {
    throw new UnopenedPartError('cannot be opened', { cause: error });
  }
  try {
    const bytes = bufferFor(length);
    let filled = 0;
    while (filled < length) {
      const read = fs.readSync(descriptor, bytes, filled, length - filled, position + filled);
      if (read === 0) break;
      filled += read;
    }
    return bytes.subarray(0, filled);
  } finally {
    fs.closeSync(descriptor);
  }
}
