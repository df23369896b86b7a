import { readFile } from 'node:fs/promises';

/** Returns the value below which the given fraction of `values` is. Throws for an empty list. */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))];
  if (found === undefined) throw new Error('nothing was measured');
  return found;
}

/** Returns the median of `values`. Throws for an empty list. */
export const median = (values: readonly number[]): number => percentile(values, 0.5);

/**
 * Measures two functions alternately after one unmeasured round, so that noise of the machine affects both. `settle`
 * runs unmeasured before each, so that the effects of one are not counted for the other. Returns the medians in
 * milliseconds.
 */
export async function inTurns(
  times: number,
  ours: () => Promise<void>,
  reference: () => Promise<void>,
  settle: () => Promise<void> = () => Promise.resolve(),
): Promise<{ oursMs: number; referenceMs: number }> {
  const timesOf = { ours: [] as number[], reference: [] as number[] };
  for (let i = 0; i <= times; i++) {
    for (const [name, work] of [['ours', ours] as const, ['reference', reference] as const]) {
      await settle();
      const started = performance.now();
      await work();
      if (i > 0) timesOf[name].push(performance.now() - started);
    }
  }
  return { oursMs: median(timesOf.ours), referenceMs: median(timesOf.reference) };
}

/** One line of the report. */
export interface Row {
  measurement: string;
  ours: string;
  reference: string;
  /** Our value relative to the reference, in the direction of the limit; undefined for rows without a limit. */
  ratio?: number;
  /** For example `≤ 3` or `≥ 0.6`. */
  limit?: string;
}

/** Returns the row of a value with an upper limit. `format` writes both; `note` is added to the limit. */
export const rowWithin = (
  measurement: string,
  value: number,
  limit: number,
  { format = asMs, note = '' }: { format?: (value: number) => string; note?: string } = {},
): Row => ({
  measurement,
  ours: format(value),
  reference: note === '' ? format(limit) : `${format(limit)} (${note})`,
  ratio: value / limit,
  limit: '≤ 1',
});

/** Returns the row of a time against that of a reference, both in milliseconds; `note` names the reference. */
export const rowAgainst = (
  measurement: string,
  oursMs: number,
  referenceMs: number,
  { note, limit }: { note: string; limit: string },
): Row => ({
  measurement,
  ours: asMs(oursMs),
  reference: `${asMs(referenceMs)} ${note}`,
  ratio: oursMs / referenceMs,
  limit,
});

/** Whether a row meets its limit; true when it has none. */
export function meetsLimit({ ratio, limit }: Row): boolean {
  if (ratio === undefined || limit === undefined) return true;
  const bound = Number(limit.slice(1));
  return limit.startsWith('≤') ? ratio <= bound : ratio >= bound;
}

/** The resident memory of a process, in bytes. Linux only; 0 elsewhere. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

/** Runs `work` and samples the memory of `pid`. Returns its maximum in bytes. */
export async function peakMemory(pid: number, work: () => Promise<void>): Promise<number> {
  let peak = await residentBytes(pid);
  const timer = setInterval(() => {
    void residentBytes(pid).then((bytes) => (peak = Math.max(peak, bytes)));
  }, 50);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak;
}

/** Formats milliseconds. */
export const asMs = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
/** Formats bytes. */
export const asMiB = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;
