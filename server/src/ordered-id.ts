import { randomUUID } from 'node:crypto';

/** The layout of a UUID of version 7 (RFC 9562, section 5.7): 48 bits of Unix milliseconds, then the version. */
const timeBytes = 6;
const versionByte = 6;
const version7 = 0x70;

/**
 * Generates a unique id for a row that is created at `time` (Unix milliseconds): a UUID of version 7, as base64url. Ids of the
 * same moment have the same beginning, so that an index appends them to one page instead of changing a random page for each.
 */
export function newOrderedId(time: number): string {
  const bytes = Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
  bytes.writeUIntBE(time, 0, timeBytes);
  bytes[versionByte] = version7 | ((bytes[versionByte] ?? 0) & 0x0f);
  return bytes.toString('base64url');
}
