import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import * as z from 'zod/mini';

/** Names of the manifest and the database inside a backup. */
export const manifestName = 'manifest.json';
export const databaseName = 'filestead.db';
/** Prefix of the names of branding files. */
export const brandingPrefix = 'branding/';

/** Files of a branding folder that are served and therefore saved: the stylesheet, and images. */
const brandingFile = /^branding\/(?:custom\.css|img\/(?:[\w-][\w.-]*\/){0,3}[\w-][\w.-]*\.\w+)$/;

/** Paths of a branding folder, relative to the data folder, that a backup can contain. */
export const brandingPath = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

/** Maximum size and number of entries of a backup. */
export const backupLimits = { maxBytes: 1024 * 1024 * 1024, maxEntries: 1_000 } as const;

/** Whether a backup may contain a file of this name. */
export const isBackupName = (name: string): boolean =>
  name.length <= 100 && (name === manifestName || name === databaseName || brandingFile.test(name));

/** Description of a backup's content. */
export const Manifest = z.object({
  format: z.literal('filestead-backup'),
  formatVersion: z.literal(1),
  /** Version of Filestead that created it. */
  version: z.string(),
  /** Time of creation (ISO 8601, UTC). */
  created: z.string(),
  /** Names of the migrations applied to the database. */
  schema: z.array(z.string()),
  /** Branding folder relative to the data folder; null if it is elsewhere or missing. */
  branding: z.nullable(z.string().check(z.regex(brandingPath))),
  counts: z.object({ users: z.number(), links: z.number() }),
  files: z.array(
    z.object({ name: z.string(), size: z.number(), sha256: z.string().check(z.regex(/^[\da-f]{64}$/)) }),
  ),
});
export type Manifest = z.output<typeof Manifest>;

/** Size of the pieces in which the files of a backup are read: small ones take longer to pass on than to compress. */
export const pieceBytes = 1024 * 1024;

/** Returns the SHA-256 of a file in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>)
    hash.update(piece);
  return hash.digest('hex');
}
