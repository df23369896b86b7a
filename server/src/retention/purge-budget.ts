import type { Clock } from '../clock.ts';

/** The period of the limit (milliseconds). */
export const budgetPeriodMs = 60 * 60_000;
/** The part of the entries and bytes of a store that may be removed within the period. */
const maxPart = 0.2;
/** This number of entries may always be removed. */
const minEntries = 100;

interface Amount {
  readonly entries: number;
  readonly bytes: number;
}

/** Limits the removals from a store within an hour, so that an error does not remove everything. */
export class PurgeBudget {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #spent: (Amount & { readonly store: string; readonly time: number })[] = [];

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /**
   * Returns the number and bytes of entries that may be removed now from a store that contains `kept`. The first entry of
   * an hour may have any size.
   */
  left(store: string, kept: Amount): Amount & { readonly isUnused: boolean } {
    const spent = this.#spentOn(store);
    const entries = Math.max(minEntries, Math.floor((kept.entries + spent.entries) * maxPart));
    const bytes = Math.floor((kept.bytes + spent.bytes) * maxPart);
    return {
      entries: Math.max(0, entries - spent.entries),
      bytes: Math.max(0, bytes - spent.bytes),
      isUnused: spent.entries === 0,
    };
  }

  /** Accounts for entries that are removed. */
  spend(store: string, amount: Amount): void {
    this.#spent.push({ store, time: this.#clock.now(), ...amount });
  }

  #spentOn(store: string): Amount {
    const since = this.#clock.now() - budgetPeriodMs;
    while (this.#spent[0] !== undefined && this.#spent[0].time <= since) this.#spent.shift();
    const own = this.#spent.filter((each) => each.store === store);
    return {
      entries: own.reduce((sum, { entries }) => sum + entries, 0),
      bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }
}
