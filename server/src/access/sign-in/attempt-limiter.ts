import { createHash } from 'node:crypto';
import { type Clock, systemClock } from '../../clock.ts';
import { foldUsername } from '../../usernames/fold-username.ts';
import { networkOf } from './network-of.ts';
import { AttemptQueue } from './attempt-queue.ts';
import { TooManyAttempts } from './too-many-attempts.ts';

/** Maximum numbers of wrong attempts per window. */
export interface AttemptLimits {
  readonly perAddress: number;
  /** For one account or share: from one address, and without delay from all new addresses together. */
  readonly perName: number;
  /** From all addresses together; no limit if omitted. */
  readonly inTotal?: number;
  readonly windowMs: number;
}

/**
 * The target of an attempt: the password of an account or of a share; null if the target has no name.
 */
export type Subject = { readonly account: string } | { readonly share: string } | null;

/** An attempt, which counts as failed until its success is reported. */
export interface Attempt {
  /** Reports that the attempt succeeded, so that it is not counted. */
  succeeded(): void;
}

/**
 * Counts wrong passwords by address, by account or share, and by both together. Addresses from which an
 * account has sessions, or from which an attempt succeeded, are counted separately. All other addresses
 * together have a few attempts per account without delay; further ones go through its {@link AttemptQueue},
 * so that an attacker who guesses passwords does not lock out the owner.
 */
export interface AttemptLimiter {
  /**
   * Counts an attempt and resolves when it may proceed. Throws {@link TooManyAttempts} if the address has no
   * attempts left, in total or for this subject, or if the queue is full; and the reason of `signal`.
   */
  begin(address: string, subject: Subject, signal?: AbortSignal): Promise<Attempt>;
}

/**
 * Maximum number of remembered entries of each kind; beyond it the oldest are forgotten. About 10 MB each.
 */
const maxEntries = 50_000;

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 16);

function keyOf(subject: NonNullable<Subject>): string {
  return 'account' in subject
    ? `account ${shortHash(foldUsername(subject.account))}`
    : `share ${shortHash(subject.share)}`;
}

interface Counter {
  count: number;
  endsAt: number;
  /** Queue of an account or share whose undelayed attempts are used up; null before. */
  attemptQueue: AttemptQueue | null;
}

/** Counters by key, oldest first. */
class Counters {
  readonly #windowMs: number;
  readonly #clock: Clock;
  readonly #counters = new Map<string, Counter>();

  constructor(windowMs: number, clock: Clock) {
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /** Returns the counter of `key` in the current window. */
  open(key: string): Counter {
    const now = this.#clock.now();
    const known = this.#counters.get(key);
    if (known !== undefined && known.endsAt > now) return known;
    this.#counters.delete(key);
    const [oldest] = this.#counters.keys();
    if (this.#counters.size >= maxEntries && oldest !== undefined) this.#counters.delete(oldest);
    const counter = { count: 0, endsAt: now + this.#windowMs, attemptQueue: null };
    this.#counters.set(key, counter);
    return counter;
  }

  /** Like {@link open}; throws {@link TooManyAttempts} if the counter has reached `limit`. */
  openBelow(key: string, limit: number): Counter {
    const counter = this.open(key);
    if (counter.count < limit) return counter;
    throw new TooManyAttempts(Math.ceil((counter.endsAt - this.#clock.now()) / 1_000));
  }

  /** Restarts the window: it ends once its full length has passed without an attempt. */
  extend(counter: Counter): void {
    counter.endsAt = this.#clock.now() + this.#windowMs;
  }
}

/**
 * Creates a limiter with its own memory. `addressesOf` returns the addresses from which an account has
 * sessions; it is called for every name, existing or not. Addresses are counted first, and attempts of a
 * refused address are not remembered, so that an attacker cannot evict counters by naming many accounts.
 */
export function openAttemptLimiter(
  limits: AttemptLimits,
  {
    clock = systemClock,
    addressesOf = async () => [],
  }: { clock?: Clock; addressesOf?: (account: string) => Promise<readonly string[]> } = {},
): AttemptLimiter {
  const { perAddress, perName, inTotal, windowMs } = limits;
  const addresses = new Counters(windowMs, clock);
  const totals = new Counters(windowMs, clock);
  const pairs = new Counters(windowMs, clock);
  const subjects = new Counters(windowMs, clock);
  /** Pairs of subject and network with a successful attempt since the start. */
  const familiar = new Set<string>();

  const isKnown = async (subject: NonNullable<Subject>, pair: string, network: string): Promise<boolean> => {
    if (familiar.has(pair)) return true;
    if (!('account' in subject)) return false;
    return (await addressesOf(subject.account)).some((address) => networkOf(address) === network);
  };

  return {
    async begin(address, subject, signal) {
      const network = networkOf(address);
      const key = subject === null ? null : keyOf(subject);
      const pair = `${key ?? ''} ${network}`;
      const counted = [addresses.openBelow(network, perAddress)];
      if (inTotal !== undefined) counted.push(totals.openBelow('', inTotal));
      if (key !== null) counted.push(pairs.openBelow(pair, perName));
      for (const counter of counted) counter.count += 1;
      if (subject !== null && key !== null && !(await isKnown(subject, pair, network))) {
        const counter = subjects.open(key);
        if (counter.count >= perName) {
          counter.attemptQueue ??= new AttemptQueue(clock);
          await counter.attemptQueue.enter(network, signal);
          subjects.extend(counter);
        } else {
          counter.count += 1;
          counted.push(counter);
        }
      }
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
