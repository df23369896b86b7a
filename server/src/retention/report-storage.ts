import type { StorageReport, StorageVolume } from '@filestead/contract/endpoints/storage';
import { rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { GlobalSettings } from '../access/global-settings.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { RetentionRepository, StoreUse } from '../database/retention-repository.ts';
import { nothingCounted, type StoreReport } from '../storage/kept/kept-entries.ts';
import type { Storage } from '../storage/storage.ts';
import type { Brake, LastPurge, SpaceKeeper } from './space-keeper.ts';
import { keepFreeOf } from './space-needs.ts';

/** The number of users in the report. */
const maxUsers = 10;

/** The dependencies of {@link reportStorage}. */
export interface StorageReportParts {
  readonly spaceKeeper: Pick<SpaceKeeper, 'brakeOf' | 'lastPurgeOf'>;
  readonly repository: Pick<RetentionRepository, 'uses' | 'largestUsers'>;
  /** Rooted at the served folder. */
  readonly storage: Storage;
  /** Returns the names of all users. */
  readonly usersById: () => Promise<ReadonlyMap<number, string>>;
  readonly settings: Pick<GlobalSettings, 'current'>;
  readonly options: Pick<Config, 'keepsDeleted' | 'keepAtLeastMs'>;
  /** The hourly search for expired entries. */
  readonly retention: {
    /** Unix milliseconds. */
    readonly nextSweepAt: number;
    /** The kinds of entries that do not expire at the moment, by the name of their setting. Times in Unix milliseconds. */
    readonly brakes: readonly { readonly setting: string; readonly until: number }[];
  };
  readonly clock: Clock;
}

const unused: StoreUse = {
  entries: 0,
  bytes: 0,
  oldest: null,
  versions: 0,
  versionBytes: 0,
  reclaimable: 0,
  dueEntries: 0,
  dueBytes: 0,
  restingEntries: 0,
  restingBytes: 0,
};

const isoTime = (time: number): string => new Date(time).toISOString();

const presentBrake = ({ kind, since, until }: Brake): StorageVolume['brake'] => ({
  kind,
  since: isoTime(since),
  until: isoTime(until),
});

const presentPurge = ({ at, ...purge }: LastPurge): StorageVolume['lastPurge'] => ({
  at: isoTime(at),
  ...purge,
});

function presentVolume(
  { spaceKeeper }: StorageReportParts,
  report: StoreReport,
  use: StoreUse,
  compares: boolean,
): StorageVolume {
  const { store, total, free, names, problem, refusal, withoutRecord, withoutEntry, damaged, foreign } =
    report;
  const brake = spaceKeeper.brakeOf(store);
  const lastPurge = spaceKeeper.lastPurgeOf(store);
  return {
    place: store,
    total,
    free,
    names,
    keepFree: keepFreeOf(total),
    deleted: { entries: use.entries - use.versions, bytes: use.bytes - use.versionBytes },
    versions: { entries: use.versions, bytes: use.versionBytes },
    leaving: { entries: use.dueEntries + use.restingEntries, bytes: use.dueBytes + use.restingBytes },
    reclaimable: use.reclaimable,
    oldest: use.oldest === null ? null : isoTime(use.oldest),
    problem: problem ?? refusal,
    lastPurge: lastPurge && presentPurge(lastPurge),
    brake: brake && presentBrake(brake),
    check: compares && problem === null ? { withoutRecord, withoutEntry, damaged, foreign } : null,
  };
}

/** Returns the stores, and the disk of the served folder if it has none yet. */
async function measureAll(
  storage: Storage,
  compares: boolean,
  signal: AbortSignal,
): Promise<readonly StoreReport[]> {
  const reports = await storage.stores({ signal, isBrief: !compares });
  if (reports.some(({ store }) => store === rootPath)) return reports;
  const { total, used, fileSystem } = await storage.usage(rootPath);
  const root = {
    store: rootPath,
    fileSystem,
    total,
    free: total - used,
    names: null,
    problem: null,
    refusal: null,
    ...nothingCounted,
  };
  return [root, ...reports];
}

/**
 * Reports the kept entries of each disk.
 * @param options `compares`: whether the stores are compared with their records, which reads all of them
 */
export async function reportStorage(
  parts: StorageReportParts,
  { compares, signal }: { readonly compares: boolean; readonly signal: AbortSignal },
): Promise<StorageReport> {
  const { repository, storage, settings, options, retention, clock } = parts;
  const { keepsDeleted, keepAtLeastMs } = options;
  const reports = await measureAll(storage, compares, signal);
  const uses: ReadonlyMap<VirtualPath, StoreUse> = await repository.uses(clock.now(), keepAtLeastMs);
  const names = await parts.usersById();
  const { trashDays, versionDays, keptSize } = settings.current;
  return {
    keepsDeleted,
    trashDays,
    versionDays,
    keptSize,
    keepAtLeast: Math.round(keepAtLeastMs / 1000),
    volumes: reports.map((report) =>
      presentVolume(parts, report, uses.get(report.store) ?? unused, compares),
    ),
    nextSweep: isoTime(retention.nextSweepAt),
    expiryHeld: retention.brakes.map(({ setting, until }) => ({
      kind: setting === 'trashDays' ? ('trash' as const) : ('versions' as const),
      until: isoTime(until),
    })),
    largestUsers: (await repository.largestUsers(maxUsers)).map(({ userId, entries, bytes }) => ({
      username: userId === null ? null : (names.get(userId) ?? null),
      entries,
      bytes,
    })),
  };
}
