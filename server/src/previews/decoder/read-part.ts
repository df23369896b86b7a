import fs from 'node:fs';
import type { FilePart } from './protocol.ts';

/** The part cannot be read from this process. */
export class UnopenedPartError extends Error {
  override readonly name = 'UnopenedPartError';
}

/** Memory for reading is kept from one picture to the next up to this size: most photographs fit. */
const keptBytes = 16 * 1024 * 1024;
let kept = Buffer.alloc(0);

function room(length: number): Buffer {
  if (length > keptBytes) return Buffer.allocUnsafeSlow(length);
  if (kept.length < length) kept = Buffer.allocUnsafeSlow(length);
  return kept.subarray(0, length);
}

/**
 * Reads a part of a file that the server has open, without the bytes passing through the server. The result is valid until
 * the next call. A file that ends early gives less. Throws {@link UnopenedPartError}.
 */
export function readPart({ address, position, length }: FilePart): Buffer {
  let descriptor: number;
  try {
    descriptor = fs.openSync(address, 'r');
  } catch (error) {
    throw new UnopenedPartError('cannot be opened', { cause: error });
  }
  try {
    const bytes = room(length);
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
