/** The properties of a recording. */
export interface Recording {
  /** Pixels, as shown; absent without a picture. */
  width?: number;
  height?: number;
  seconds?: number;
  /** UTC. */
  taken?: string;
  title?: string;
  artist?: string;
  album?: string;
}

/** Longer durations are considered errors of the header. */
const maxSeconds = 1_000_000;

/** Returns a duration rounded to a tenth of a second; undefined when it is impossible. */
export const plausibleSeconds = (seconds: number): number | undefined =>
  seconds >= 0.1 && seconds <= maxSeconds ? Math.round(seconds * 10) / 10 : undefined;

/** Formats Unix seconds in UTC; undefined for times before 1990, when there were no such files. */
export function plausibleTime(seconds: number): string | undefined {
  const isPlausible = seconds > 631_152_000 && seconds < 4_102_444_800;
  return isPlausible ? `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z` : undefined;
}
