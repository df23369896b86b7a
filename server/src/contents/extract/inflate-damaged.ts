import { constants, inflateRawSync, inflateSync } from 'node:zlib';

/** Options of {@link inflateDamaged}. */
export interface InflateOptions {
  /** Whether the data lacks the header and checksum of zlib. */
  readonly isRaw: boolean;
  /** The maximum size of the decompressed data, in bytes. */
  readonly maxBytes: number;
}

/** The size of the header of zlib, in bytes (RFC 1950 §2.2). */
const headerBytes = 2;
/** The number of bisections with which the beginning of the damage is found: up to 1/2^n of the data before it is lost. */
const maxAttempts = 12;

const isTooLong = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';

/**
 * Decompresses data whose end may be missing. Returns the part before the damage, which may be empty, if the data is damaged, and null
 * if it is too long.
 */
export function inflateDamaged(data: Uint8Array, { isRaw, maxBytes }: InflateOptions): Uint8Array | null {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxBytes };
  try {
    return isRaw ? inflateRawSync(data, options) : inflateSync(data, options);
  } catch (error) {
    if (isTooLong(error)) return null;
  }
  // The raw data is decompressed, so that a damaged header and a wrong checksum do not matter.
  const raw = isRaw ? data : data.subarray(headerBytes);
  let inflated: Uint8Array = new Uint8Array(0);
  let tried = raw.length;
  let [good, bad] = [0, raw.length + 1];
  for (let attempt = 0; attempt <= maxAttempts && good + 1 < bad; attempt++) {
    try {
      inflated = inflateRawSync(raw.subarray(0, tried), options);
      good = tried;
    } catch (error) {
      if (isTooLong(error)) return null;
      bad = tried;
    }
    tried = (good + bad) >> 1;
  }
  return inflated;
}
