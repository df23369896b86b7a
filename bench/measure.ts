import { readFile } from 'node:fs/promises';

/** The middle of `values`. Throws for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
}

/** Runs `work` `times` times, after one unmeasured round, and returns the median time in milliseconds. */
export async function medianMs(times: number, work: () => Promise<void>): Promise<number> {
  await work();
  const values: number[] = [];
  for (let i = 0; i < times; i++) {
    const started = performance.now();
    await work();
    values.push(performance.now() - started);
  }
  return median(values);
}

/** Measures two things in turns, so that noise of the machine meets both. Returns the medians in milliseconds. */
export async function inTurns(
  times: number,
  ours: () => Promise<void>,
  yardstick: () => Promise<void>,
): Promise<{ oursMs: number; yardstickMs: number }> {
  const a: number[] = [];
  const b: number[] = [];
  await ours();
  await yardstick();
  for (let i = 0; i < times; i++) {
    let started = performance.now();
    await ours();
    a.push(performance.now() - started);
    started = performance.now();
    await yardstick();
    b.push(performance.now() - started);
  }
  return { oursMs: median(a), yardstickMs: median(b) };
}

/** One line of the report. */
export interface Row {
  what: string;
  ours: string;
  yardstick: string;
  /** Ours in relation to the yardstick, in the direction of the bar; absent where a bar is absolute. */
  ratio?: number;
  /** For example `≤ 3` or `≥ 0.6`. */
  bar?: string;
}

/** Whether a row keeps its bar; true when it has none. */
export function keepsBar({ ratio, bar }: Row): boolean {
  if (ratio === undefined || bar === undefined) return true;
  const limit = Number(bar.slice(1));
  return bar.startsWith('≤') ? ratio <= limit : ratio >= limit;
}

/** The resident memory of a process, in bytes. Linux only; 0 elsewhere. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

/** Runs `work` while sampling the memory of `pid`. Returns its highest value in bytes. */
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

export const asMs = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
export const asMiB = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;
