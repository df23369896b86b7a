import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import * as z from 'zod/mini';

/** The name of the manifest inside a backup, and of the database. */
export const manifestName = 'manifest.json';
export const databaseName = 'filestead.db';
/** Before the names of the branding folder's files. */
export const brandingPrefix = 'branding/';

/** The files of a branding folder that are served, and therefore saved: the stylesheet, and images. */
const brandingFile = /^branding\/(?:custom\.css|img\/(?:[\w-][\w.-]*\/){0,3}[\w-][\w.-]*\.\w+)$/;

/** Most bytes and entries of a backup. */
export const backupLimits = { maxBytes: 1024 * 1024 * 1024, maxEntries: 1_000 } as const;

/** Whether a backup may contain a file of this name. */
export const isBackupName = (name: string): boolean =>
  name.length <= 100 && (name === manifestName || name === databaseName || brandingFile.test(name));

/** What a backup says about itself. */
export const Manifest = z.object({
  format: z.literal('filestead-backup'),
  formatVersion: z.literal(1),
  /** The version of Filestead that made it. */
  version: z.string(),
  /** When it was made (ISO 8601, UTC). */
  created: z.string(),
  /** The steps that the database has been through. */
  schema: z.array(z.string()),
  /** The branding folder, relative to the data folder; null when it is elsewhere or there is none. */
  branding: z.nullable(z.string().check(z.regex(/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/))),
  counts: z.object({ users: z.number(), links: z.number() }),
  files: z.array(
    z.object({ name: z.string(), size: z.number(), sha256: z.string().check(z.regex(/^[\da-f]{64}$/)) }),
  ),
});
export type Manifest = z.output<typeof Manifest>;

/** A number with its noun, such as `1 user` and `2 users`. */
export const countOf = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** The SHA-256 of a file, in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) hash.update(piece);
  return hash.digest('hex');
}
