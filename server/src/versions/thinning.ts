import type { ExpirySource } from '../access/expiry-source.ts';
import { versionsByFile } from '../access/keeping/versions-by-file.ts';
import type { VersionAge, VersionRepository } from '../database/version-repository.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** The number of latest versions of a file that are never thinned out. */
const sparedVersions = 3;
/** Up to each age, one version per interval is kept; with an interval of 0 all are. */
type Periods = readonly { readonly untilMs: number; readonly intervalMs: number }[];

const normalPeriods: Periods = [
  { untilMs: dayMs, intervalMs: 0 },
  { untilMs: 7 * dayMs, intervalMs: hourMs },
  { untilMs: 30 * dayMs, intervalMs: dayMs },
  { untilMs: Infinity, intervalMs: 7 * dayMs },
];
/** The next longer interval for each age. */
const coarsePeriods: Periods = [
  { untilMs: dayMs, intervalMs: hourMs },
  { untilMs: 7 * dayMs, intervalMs: dayMs },
  { untilMs: 30 * dayMs, intervalMs: 7 * dayMs },
  { untilMs: Infinity, intervalMs: 28 * dayMs },
];

/** The time for which a version was the current state of its file. */
const currentMsOf = ({ writtenAt, keptAt }: VersionAge): number => keptAt - writtenAt;

/** Returns a key of the interval of which one version is kept; null at an age at which all are. */
function intervalOf({ keptAt }: VersionAge, now: number, periods: Periods): string | null {
  const ageMs = now - keptAt;
  const period = periods.findIndex(({ untilMs }) => ageMs <= untilMs);
  const intervalMs = periods[period]?.intervalMs ?? 0;
  return intervalMs === 0 ? null : `${period} ${Math.floor(keptAt / intervalMs)}`;
}

/**
 * Returns the ids of the versions of one file that expire at `now`: those that are older than `versionDays` (0: no limit), and
 * of each interval all except the one that was the current state for the longest time, which people are most likely to look for.
 * Annotated versions never expire, and the latest three only by their age. `isCoarse` selects longer intervals, for a full disk;
 * the latest three are not spared then.
 */
export function thin(
  versions: readonly VersionAge[],
  now: number,
  versionDays: number,
  isCoarse = false,
): string[] {
  const periods = isCoarse ? coarsePeriods : normalPeriods;
  const latestFirst = versions.toSorted((a, b) => b.keptAt - a.keptAt);
  const spared = new Set(latestFirst.slice(0, isCoarse ? 0 : sparedVersions));
  const best = new Map<string, VersionAge>();
  const expired: string[] = [];
  for (const version of latestFirst) {
    if (version.isAnnotated) continue;
    if (versionDays > 0 && now - version.keptAt > versionDays * dayMs) {
      expired.push(version.id);
      continue;
    }
    const interval = intervalOf(version, now, periods);
    if (interval === null) continue;
    const rival = best.get(interval);
    if (rival === undefined) {
      best.set(interval, version);
      continue;
    }
    const isBetter = currentMsOf(version) > currentMsOf(rival);
    const worse = isBetter ? rival : version;
    if (isBetter) best.set(interval, version);
    if (!spared.has(worse)) expired.push(worse.id);
  }
  return expired;
}

/** Finds the versions of all files that are thinned out. Other requests are served between two pages. */
export const openThinning = (repository: VersionRepository, versionDays: () => number): ExpirySource => ({
  name: 'versions',
  setting: 'versionDays',
  async find(now) {
    const days = versionDays();
    // Versions without bytes are not thinned out, and expire by their age.
    if (days > 0) await repository.removeUnchanged(now - days * dayMs);
    const expired: string[] = [];
    let entries = 0;
    for await (const file of versionsByFile((after, limit) => repository.byFile(after, limit))) {
      entries += file.length;
      expired.push(...thin(file, now, days));
    }
    return { entries, expired: expired.length, take: async (limit) => expired.slice(0, limit) };
  },
});
