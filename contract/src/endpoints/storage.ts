import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';

/**
 * The reasons for which the server removes an entry: it has expired; its author replaced it within a day; a coarser thinning does
 * not keep it; it was among the oldest versions, or the oldest deleted entries.
 */
export const purgeReasons = ['expired', 'short_lived', 'thinned', 'old_version', 'old_deletion'] as const;
export type PurgeReason = (typeof purgeReasons)[number];

/** The causes of a removal by the server: expired entries, a disk low on space or names, the size limit, or an upload. */
export const purgeCauses = ['expiry', 'low_space', 'low_names', 'size_limit', 'upload'] as const;
export type PurgeCause = (typeof purgeCauses)[number];

/** The reasons for which the server removes nothing by itself at the moment. */
export const brakeKinds = [
  /** The server was started less than a minute ago. */
  'starting',
  /** The clock has jumped by more than a day. */
  'clock_jumped',
  /** The free space could not be read, or two readings differ too much. */
  'free_space_unclear',
  /** The store does not exist, or is not the one that the index describes. */
  'store_missing',
  /** The records of the store cannot be read. */
  'ledger_unreadable',
  /** A fifth of the kept entries was removed within an hour; further ones have to wait. */
  'too_much_at_once',
  /** Removing entries freed no space, for example because snapshots contain them. */
  'frees_nothing',
] as const;
export type BrakeKind = (typeof brakeKinds)[number];

/** The reasons why nothing can be kept on a disk. */
export const keepProblems = [
  'disk_full',
  'read_only',
  /** The store cannot be created or written, for example because the operating system denies it. */
  'not_writable',
  /** Another user of the operating system has created the folder of the store. */
  'foreign_owner',
  /** The store no longer exists, or another entry has replaced its folder. */
  'store_missing',
  'unreadable',
] as const;
export type KeepProblem = (typeof keepProblems)[number];

const Amount = z.object({ entries: z.int(), bytes: z.number() });

/** RFC 3339, in UTC. */
const time = z.string();

const Brake = z.object({
  kind: z.enum(brakeKinds),
  since: time,
  /** The time at which the server tries again. */
  until: time,
});

/** The last entries that the server has removed by itself. */
const AutomaticPurge = z.object({
  at: time,
  cause: z.enum(purgeCauses),
  entries: z.int(),
  bytes: z.number(),
  /** The number of entries for each reason. */
  reasons: z.partialRecord(z.enum(purgeReasons), z.int()),
});

/** A disk with its store of deleted entries and versions. */
export const StorageVolume = z.object({
  /** The folder that contains the store, as a path of the served root. */
  place: z.string(),
  /** The total size, and the part that users can fill (bytes). */
  total: z.number(),
  free: z.number(),
  /** The number of files and folders that the disk can contain, and that can still be added; null if it is not limited. */
  names: z.nullable(z.object({ total: z.number(), free: z.number() })),
  /** Entries are removed early while less space than this is free (bytes). */
  keepFree: z.number(),
  /** Deleted entries. */
  deleted: Amount,
  /** Former states of files. */
  versions: Amount,
  /** Entries that were deleted forever and are still on the disk. */
  leaving: Amount,
  /** The part of the bytes that the server may remove when the disk is full: without the most recent versions and those to be kept forever. */
  reclaimable: z.number(),
  /** The time at which the oldest entry was deleted or replaced; null if nothing is kept. */
  oldest: z.nullable(time),
  /** The reason why nothing can be kept on this disk; null normally. */
  problem: z.nullable(z.enum(keepProblems)),
  lastPurge: z.nullable(AutomaticPurge),
  brake: z.nullable(Brake),
  /** The result of a comparison of the store with its records; null unless it was requested. */
  check: z.nullable(
    z.object({
      /** Entries that no record describes, and records whose entry does not exist. */
      withoutRecord: z.int(),
      withoutEntry: z.int(),
      /** Lines of the records that are damaged and were skipped. */
      damaged: z.int(),
      /** Stores of other installations on this disk. */
      foreign: z.int(),
    }),
  ),
});
export type StorageVolume = z.output<typeof StorageVolume>;

/** The kept entries of all disks, the time for which they are kept, and the removals by the server. */
export const StorageReport = z.object({
  /** Whether deleted and replaced files are kept. */
  keepsDeleted: z.boolean(),
  trashDays: z.int(),
  versionDays: z.int(),
  /** The limit of the kept entries on one disk (bytes); 0 for none. */
  keptSize: z.number(),
  /** The time for which kept entries are not removed even if the disk is full (seconds). */
  keepAtLeast: z.number(),
  volumes: z.array(StorageVolume),
  /** The next time at which the server searches for expired entries, and for disks that are low on space. */
  nextSweep: time,
  /** The kinds of entries that do not expire at the moment, and until when. */
  expiryHeld: z.array(z.object({ kind: z.enum(['trash', 'versions']), until: time })),
  /** The users whose deleted entries and versions use the most space. */
  largestUsers: z.array(
    z.object({
      /** Null for users that no longer exist. */
      username: z.nullable(z.string()),
      entries: z.int(),
      bytes: z.number(),
    }),
  ),
});
export type StorageReport = z.output<typeof StorageReport>;

export const getStorage = endpoint({
  id: 'getStorage',
  feature: 'storage',
  method: 'GET',
  path: '/api/storage',
  summary: 'Get the space that deleted entries and versions use on each disk',
  description:
    'The numbers are those of the index. With `check=true` the stores are also compared with their records, which takes as long as reading all their names.',
  access: 'administrator',
  query: z.object({ check: z.optional(z.string()) }),
  responses: { 200: { description: 'The report', json: StorageReport } },
  errors: ['not_signed_in', 'forbidden', 'storage_unavailable'],
});
