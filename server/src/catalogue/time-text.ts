/** Formats Unix seconds as RFC 3339 in UTC; null for an unknown time. */
export const timeText = (seconds: number | null): string | null =>
  seconds === null || seconds === 0 ? null : new Date(seconds * 1000).toISOString();
