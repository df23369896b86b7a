import type { StoreUse } from '../database/retention-repository.ts';
import type { PurgeCause } from '@filestead/contract/endpoints/storage';
import type { StoreReport } from '../storage/kept/kept-entries.ts';

const gibibyte = 1024 ** 3;
/**
 * Entries are removed while the free space is less than this part of a disk, or less than {@link maxKeptFree} if that is
 * smaller.
 */
const keptFreePart = 0.1;
const maxKeptFree = 50 * gibibyte;
/** Entries are removed while less than this part of the names of a file system is free. */
const keptFreeNames = 0.05;
/** The factor by which more is removed than needed, so that the next upload does not have to wait. */
const surplus = 1.1;

/** Returns the bytes that are kept free on a disk of `total` bytes. */
export const keepFreeOf = (total: number): number => Math.min(Math.floor(total * keptFreePart), maxKeptFree);

/** The bytes and names that have to be removed from a store, and the reason. */
export interface SpaceNeed {
  readonly bytes: number;
  readonly names: number;
  readonly cause: Exclude<PurgeCause, 'expiry'>;
}

/** The state of a store and its disk. */
export interface SpaceState {
  readonly report: Pick<StoreReport, 'total' | 'free' | 'names'>;
  readonly use: Pick<StoreUse, 'bytes' | 'restingBytes' | 'dueBytes' | 'dueEntries'>;
  /** The limit of the kept entries (bytes); 0 for none. */
  readonly keptSize: number;
  /** Free bytes that an upload needs; 0 for none. */
  readonly neededBytes: number;
}

/**
 * Returns the space to free, a tenth more than needed; null if none is needed. Entries that are already being removed count as
 * free; entries that were deleted forever but can still be restored count as kept.
 */
export function spaceNeed({ report, use, keptSize, neededBytes }: SpaceState): SpaceNeed | null {
  const free = report.free + use.dueBytes;
  const lacks = {
    upload: neededBytes - free,
    low_space: keepFreeOf(report.total) - free,
    size_limit: keptSize === 0 ? 0 : use.bytes + use.restingBytes - keptSize,
  } as const;
  const { names } = report;
  const missingNames =
    names === null ? 0 : Math.ceil(names.total * keptFreeNames) - names.free - use.dueEntries;
  const bytes = Math.max(0, ...Object.values(lacks));
  if (bytes === 0 && missingNames <= 0) return null;
  const causes = ['upload', 'low_space', 'size_limit'] as const;
  return {
    bytes: Math.ceil(bytes * surplus),
    names: Math.ceil(Math.max(0, missingNames) * surplus),
    cause: bytes === 0 ? 'low_names' : (causes.find((cause) => lacks[cause] > 0) ?? 'low_space'),
  };
}
