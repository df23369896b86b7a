/** Kept entries of a kind that expire at a time. */
export interface ExpiringEntries {
  /** The number of all entries of the kind, and of those among them that have expired. */
  readonly entries: number;
  readonly expired: number;
  /** Returns the ids of at most `limit` expired entries, in the order in which to remove them. */
  take(limit: number): Promise<readonly string[]>;
}

/** A kind of kept entries that is removed after a time. */
export interface ExpirySource {
  /** In the plural, for the log. */
  readonly name: string;
  /** The name of the setting that decides when they expire. */
  readonly setting: string;
  /** Finds the entries that have expired at `now` (Unix milliseconds). */
  find(now: number): Promise<ExpiringEntries>;
}
