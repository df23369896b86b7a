import { createHash } from 'node:crypto';
import { type Clock, systemClock } from '../../clock.ts';
import { foldUsername } from '../../usernames/fold-username.ts';
import { networkOf } from './network-of.ts';
import { AttemptQueue } from './attempt-queue.ts';
import { TooManyAttempts } from './too-many-attempts.ts';

/** How many wrong attempts are allowed in a window. */
export interface AttemptLimits {
  readonly perAddress: number;
  /** For one account or link: from one address, and quickly from all new addresses together. */
  readonly perName: number;
  /** From all addresses together; no limit when left out. */
  readonly inAll?: number;
  readonly windowMs: number;
}

/** The target of a guess: the password of an account, of a link, or nothing that has a name. */
export type Subject = { readonly account: string } | { readonly link: string } | null;

/** An attempt that counts as wrong until it turns out to be right. */
export interface Attempt {
  /** The attempt was right: it does not count. */
  succeeded(): void;
}

/**
 * Counts wrong passwords by address, by account or link, and by both together. Addresses from which an account has sessions, or
 * from which an attempt succeeded, have attempts of their own. From all other addresses together a few attempts at one account
 * are quick, and further ones go through its slow lane: strangers who guess do not lock its owner out.
 */
export interface AttemptLimiter {
  /**
   * Counts an attempt, and resolves when it may be made. Throws {@link TooManyAttempts} when the address has none left, in
   * whole or for this subject, or too many wait in the slow lane; and the reason of `signal`.
   */
  begin(address: string, subject: Subject, signal?: AbortSignal): Promise<Attempt>;
}

/** Most entries of each kind that are remembered; beyond it the oldest are forgotten. About 10 MB each. */
const maxEntries = 50_000;

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 16);

function keyOf(subject: NonNullable<Subject>): string {
  return 'account' in subject
    ? `account ${shortHash(foldUsername(subject.account))}`
    : `link ${shortHash(subject.link)}`;
}

interface Counter {
  count: number;
  endsAt: number;
  /** Of an account or link, once its quick attempts are used up. */
  attemptQueue: AttemptQueue | null;
}

/** Counters by key, the oldest first. */
class Counters {
  readonly #windowMs: number;
  readonly #clock: Clock;
  readonly #counters = new Map<string, Counter>();

  constructor(windowMs: number, clock: Clock) {
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /** The counter of `key` in the window that runs. */
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

  /** The same; throws {@link TooManyAttempts} when it has reached `limit`. */
  openBelow(key: string, limit: number): Counter {
    const counter = this.open(key);
    if (counter.count < limit) return counter;
    throw new TooManyAttempts(Math.ceil((counter.endsAt - this.#clock.now()) / 1_000));
  }

  /** The window starts anew: it is over when nothing has happened for its whole length. */
  extend(counter: Counter): void {
    counter.endsAt = this.#clock.now() + this.#windowMs;
  }
}

/**
 * Opens a limiter with a memory of its own. `addressesOf` gives the addresses from which an account has sessions; it is asked
 * for every name, existing or not. Addresses are counted first, and what a refused address tries is not remembered, so that
 * nobody makes the limiter forget by naming many accounts.
 */
export function openAttemptLimiter(
  limits: AttemptLimits,
  {
    clock = systemClock,
    addressesOf = async () => [],
  }: { clock?: Clock; addressesOf?: (account: string) => Promise<readonly string[]> } = {},
): AttemptLimiter {
  const { perAddress, perName, inAll, windowMs } = limits;
  const addresses = new Counters(windowMs, clock);
  const whole = new Counters(windowMs, clock);
  const pairs = new Counters(windowMs, clock);
  const subjects = new Counters(windowMs, clock);
  /** Pairs of which an attempt succeeded since the start. */
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
      if (inAll !== undefined) counted.push(whole.openBelow('', inAll));
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
