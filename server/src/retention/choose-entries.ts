import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { PurgeReason } from '@filestead/contract/endpoints/storage';
import { versionsByFile } from '../access/keeping/versions-by-file.ts';
import type { Removable, RemovableVersion, RetentionRepository } from '../database/retention-repository.ts';
import type { VersionAge } from '../database/version-repository.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** The maximum number of entries that are found for each reason. */
const maxEntriesPerReason = 10_000;

/** An entry to remove, with the reason. */
export interface ChosenEntry extends Removable {
  readonly reason: PurgeReason;
}

/** The rules by which entries are chosen. */
export interface RetentionRules {
  /** The number of days after which deleted entries expire; 0 for no limit. */
  readonly trashDays: number;
  /** The number of days after which versions expire; 0 for no limit. */
  readonly versionDays: number;
  /** Deleted entries and versions younger than this (milliseconds) stay, apart from short-lived and thinned ones. */
  readonly keepAtLeastMs: number;
}

/**
 * Returns the ids of the versions of one file that expire; with `isCoarse` those that are dispensable on a full disk.
 * Implemented by the versions feature.
 */
export type Thin = (
  versions: readonly VersionAge[],
  now: number,
  versionDays: number,
  isCoarse: boolean,
) => string[];

/** The dependencies of {@link chooseEntries}. */
export interface ChoiceParts {
  readonly repository: Pick<RetentionRepository, 'deletedBefore' | 'shortLivedDeletions' | 'versionsByFile'>;
  readonly thin: Thin;
}

/** Collects the oldest entries, at most {@link maxEntriesPerReason}. */
class OldestEntries {
  #entries: Removable[] = [];

  add(entry: Removable): void {
    this.#entries.push(entry);
    if (this.#entries.length >= 2 * maxEntriesPerReason) this.#entries = this.list();
  }

  list(): Removable[] {
    return this.#entries.toSorted((a, b) => a.keptAt - b.keptAt).slice(0, maxEntriesPerReason);
  }
}

type VersionReason = Exclude<PurgeReason, 'old_deletion'>;

/**
 * Returns the version that was the current state of its file when the guaranteed time began: the earliest that was replaced
 * after that. Undefined if the file has not changed since.
 */
const currentStateAt = (versions: readonly RemovableVersion[], since: number): RemovableVersion | undefined =>
  versions.filter(({ keptAt }) => keptAt > since).toSorted((a, b) => a.keptAt - b.keptAt)[0];

/**
 * Returns the versions of one file that may be removed, each with the reason. Two stay for each file: the latest, and the one
 * that was the current state when the guaranteed time began (otherwise the second latest). Short-lived states of one author may
 * be removed except for the one of that time, so that a user who replaces a file a thousand times cannot fill the disk.
 */
export function classifyVersions(
  versions: readonly RemovableVersion[],
  thin: Thin,
  rules: RetentionRules,
  now: number,
): (readonly [VersionReason, RemovableVersion])[] {
  const since = now - rules.keepAtLeastMs;
  const currentThen = currentStateAt(versions, since);
  const latestFirst = versions.toSorted((a, b) => b.keptAt - a.keptAt);
  const spared = new Set([latestFirst[0], currentThen ?? latestFirst[1]]);
  const expired = new Set(thin(versions, now, rules.versionDays, false));
  const coarse = new Set(thin(versions, now, rules.versionDays, true));
  return versions.flatMap((version): (readonly [VersionReason, RemovableVersion])[] => {
    if (version.isAnnotated) return [];
    if (expired.has(version.id)) return [['expired', version]];
    if (version.isShortLived && version !== currentThen) return [['short_lived', version]];
    if (spared.has(version)) return [];
    if (coarse.has(version.id)) return [['thinned', version]];
    return version.keptAt <= since ? [['old_version', version]] : [];
  });
}

const versionReasons = ['expired', 'short_lived', 'thinned', 'old_version'] as const;

/** Finds the versions of a store that may be removed, the oldest first for each reason. */
async function findVersions(
  { repository, thin }: ChoiceParts,
  store: VirtualPath,
  rules: RetentionRules,
  now: number,
): Promise<ReadonlyMap<VersionReason, OldestEntries>> {
  const found = new Map(versionReasons.map((reason) => [reason, new OldestEntries()] as const));
  const files = versionsByFile((after, limit) => repository.versionsByFile(store, after, limit));
  for await (const file of files) {
    for (const [reason, version] of classifyVersions(file, thin, rules, now)) found.get(reason)?.add(version);
  }
  return found;
}

/**
 * Yields the entries of a store that may be removed on a full disk, in the order of removal: expired ones; files and states
 * that their author has deleted or replaced within a day; versions that a coarser thinning would not keep; older versions;
 * older deleted entries. An entry occurs once.
 */
export async function* chooseEntries(
  parts: ChoiceParts,
  store: VirtualPath,
  rules: RetentionRules,
  now: number,
): AsyncGenerator<ChosenEntry> {
  const { repository } = parts;
  const deleted = (before: number): Promise<Removable[]> =>
    repository.deletedBefore(store, before, maxEntriesPerReason);
  const expired = rules.trashDays === 0 ? [] : await deleted(now - rules.trashDays * dayMs);
  for (const entry of expired) yield { ...entry, reason: 'expired' };
  const versions = await findVersions(parts, store, rules, now);
  const yielded = new Set(expired.map(({ id }) => id));
  for (const [reason, entries] of versions) {
    if (reason === 'short_lived') {
      for (const entry of await repository.shortLivedDeletions(store, maxEntriesPerReason)) {
        if (yielded.has(entry.id)) continue;
        yielded.add(entry.id);
        yield { ...entry, reason };
      }
    }
    for (const entry of entries.list()) yield { ...entry, reason };
  }
  for (const entry of await deleted(now - rules.keepAtLeastMs)) {
    if (!yielded.has(entry.id)) yield { ...entry, reason: 'old_deletion' };
  }
}
