import { createHash } from 'node:crypto';
import { AppError } from '../http/app-error.ts';
import { foldedName } from './folded-name.ts';
import { networkOf } from './network-of.ts';

/** How many wrong attempts are allowed in a window. */
export interface AttemptLimits {
  readonly perAddress: number;
  readonly perName: number;
  readonly windowMs: number;
}

/** An attempt that counts as wrong until it turns out to be right. */
export interface Attempt {
  /** The attempt was right: it does not count. */
  succeeded(): void;
}

/**
 * Counts wrong passwords by address and by name. A user who signed in from an address before has attempts of their own
 * there, so that strangers who guess at a name do not lock its owner out.
 */
export interface AttemptLimiter {
  /** Counts an attempt. Throws {@link TooManyAttempts} when one of the two has none left. */
  begin(address: string, name: string): Attempt;
}

/** `too_many_requests`, with the time after which trying again makes sense. */
export class TooManyAttempts extends AppError {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('too_many_requests', `too many attempts, try again in ${retryAfterSeconds} seconds`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Most names that are remembered, and most addresses; beyond it the oldest are forgotten. About 10 MB each. */
const maxEntries = 50_000;

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 16);

interface Counter {
  count: number;
  endsAt: number;
}

/** Counters by key, the oldest first. */
class Counters {
  readonly #windowMs: number;
  readonly #now: () => number;
  readonly #counters = new Map<string, Counter>();

  constructor(windowMs: number, now: () => number) {
    this.#windowMs = windowMs;
    this.#now = now;
  }

  /** The counter of `key` in the window that runs. Throws {@link TooManyAttempts} when it has reached `limit`. */
  open(key: string, limit: number): Counter {
    const now = this.#now();
    const known = this.#counters.get(key);
    if (known !== undefined && known.endsAt > now) {
      if (known.count >= limit) throw new TooManyAttempts(Math.ceil((known.endsAt - now) / 1000));
      return known;
    }
    this.#counters.delete(key);
    const [oldest] = this.#counters.keys();
    if (this.#counters.size >= maxEntries && oldest !== undefined) this.#counters.delete(oldest);
    const counter = { count: 0, endsAt: now + this.#windowMs };
    this.#counters.set(key, counter);
    return counter;
  }
}

/**
 * Opens a limiter with a memory of its own. `now` is in Unix milliseconds. Addresses and names are remembered apart, and the
 * names that a refused address tries are not, so that nobody makes it forget by naming many.
 */
export function openAttemptLimiter(limits: AttemptLimits, now: () => number = Date.now): AttemptLimiter {
  const addresses = new Counters(limits.windowMs, now);
  const names = new Counters(limits.windowMs, now);
  const familiar = new Set<string>();
  return {
    begin(address, name) {
      const network = networkOf(address);
      const nameHash = shortHash(foldedName(name));
      const pair = `${nameHash} ${network}`;
      const counted = [
        addresses.open(network, limits.perAddress),
        names.open(familiar.has(pair) ? `p ${pair}` : `n ${nameHash}`, limits.perName),
      ];
      for (const counter of counted) counter.count += 1;
      let isOpen = true;
      return {
        succeeded() {
          if (!isOpen) return;
          isOpen = false;
          for (const counter of counted) counter.count -= 1;
          if (familiar.size >= maxEntries) familiar.clear();
          familiar.add(pair);
        },
      };
    },
  };
}
