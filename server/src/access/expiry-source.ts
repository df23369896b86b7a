/** Kept entries of a kind that expire at a time. */
export interface Expiring {
  /** The number of entries, and of those that expire. */
  readonly entries: number;
  readonly expired: number;
  /** Returns the ids of expired entries, those first that may go first. */
  take(limit: number): Promise<readonly string[]>;
}

/** A kind of kept entries that expire by themselves. */
export interface ExpirySource {
  /** In the plural, for the log. */
  readonly name: string;
  /** The setting that says when they expire. */
  readonly setting: string;
  /** Finds the entries that expire at `now` (Unix milliseconds). */
  find(now: number): Promise<Expiring>;
}
