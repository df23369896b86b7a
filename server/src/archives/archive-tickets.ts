import { randomBytes } from 'node:crypto';
import type { ArchiveFormat } from '@filestead/contract/archives';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/** An archive that was requested and not downloaded yet. */
export interface PlannedArchive {
  /** The session or share that requested it. */
  readonly holder: string;
  readonly paths: readonly VirtualPath[];
  readonly format: ArchiveFormat;
  /** Without extension. */
  readonly name: string;
}

/** Validity of a ticket, in seconds. */
export const ticketLifeSeconds = 60;
/** Length of a ticket, in random bytes. */
const ticketBytes = 24;
/** Limit of all tickets together, in characters of paths. Beyond it the oldest tickets are dropped. */
const maxHeldCharacters = 64 * 1024 * 1024;
const maxTickets = 10_000;
/** Limits of one party, so that it cannot make the server drop the tickets of others. */
const maxHeldCharactersPerParty = maxHeldCharacters / 2;
const maxTicketsPerParty = 100;

interface Held {
  readonly archive: PlannedArchive;
  readonly party: string;
  readonly characters: number;
  readonly endsAt: number;
}

/** Tickets for downloads. Each is valid once, and only for its holder. */
export class ArchiveTickets {
  readonly #held = new Map<string, Held>();
  readonly #now: () => number;
  #characters = 0;

  /** @param now  returns the time in Unix milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Issues a ticket. At a limit of `party` its oldest tickets are dropped. */
  issue(archive: PlannedArchive, party: string): string {
    const characters = archive.paths.reduce((sum, path) => sum + path.length, 0);
    const now = this.#now();
    const own = [...this.#held].filter(([, held]) => held.party === party);
    let ownCharacters = own.reduce((sum, [, held]) => sum + held.characters, characters);
    for (const [position, [ticket, held]] of own.entries()) {
      const isTooMany = own.length - position >= maxTicketsPerParty;
      if (!isTooMany && ownCharacters <= maxHeldCharactersPerParty) break;
      ownCharacters -= held.characters;
      this.#drop(ticket);
    }
    for (const [ticket, { endsAt }] of this.#held) {
      const isFull = this.#characters + characters > maxHeldCharacters || this.#held.size >= maxTickets;
      // The map is ordered by expiry.
      if (endsAt > now && !isFull) break;
      this.#drop(ticket);
    }
    const ticket = randomBytes(ticketBytes).toString('base64url');
    this.#held.set(ticket, { archive, party, characters, endsAt: now + ticketLifeSeconds * 1000 });
    this.#characters += characters;
    return ticket;
  }

  /** Returns the archive of a ticket; null when the ticket is unknown, used, expired or has another holder. */
  find(ticket: string, holder: string): PlannedArchive | null {
    const held = this.#held.get(ticket);
    if (held === undefined || held.archive.holder !== holder) return null;
    return held.endsAt > this.#now() ? held.archive : null;
  }

  /** Invalidates a ticket. */
  use(ticket: string): void {
    this.#drop(ticket);
  }

  #drop(ticket: string): void {
    this.#characters -= this.#held.get(ticket)?.characters ?? 0;
    this.#held.delete(ticket);
  }
}
