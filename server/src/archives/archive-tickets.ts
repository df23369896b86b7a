import { randomBytes } from 'node:crypto';
import type { ArchiveFormat } from '@filestead/contract/archives';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/** A download that was asked for and is still to be fetched. */
export interface PlannedArchive {
  /** Who asked: a session, or a link. */
  readonly holder: string;
  readonly paths: readonly VirtualPath[];
  readonly format: ArchiveFormat;
  /** Without extension. */
  readonly name: string;
}

/** How long a ticket can be used, in seconds. */
export const ticketLifeSeconds = 60;
/** Length of a ticket in random bytes. */
const ticketBytes = 24;
/** What all tickets may hold together, in characters of paths; the oldest are forgotten for new ones. */
const maxHeldCharacters = 64 * 1024 * 1024;
const maxTickets = 10_000;
/** And those of one party, so that nobody makes the server forget the tickets of others. */
const maxHeldCharactersPerParty = maxHeldCharacters / 2;
const maxTicketsPerParty = 100;

interface Held {
  readonly archive: PlannedArchive;
  readonly party: string;
  readonly characters: number;
  readonly endsAt: number;
}

/** Tickets for downloads, each good for one use by whoever asked for it. */
export class ArchiveTickets {
  readonly #held = new Map<string, Held>();
  readonly #now: () => number;
  #characters = 0;

  /** @param now  the clock, in milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** `party` names who asked, for the limits; the oldest tickets of a party make way for its new ones. */
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
      // They lie in the order in which they end.
      if (endsAt > now && !isFull) break;
      this.#drop(ticket);
    }
    const ticket = randomBytes(ticketBytes).toString('base64url');
    this.#held.set(ticket, { archive, party, characters, endsAt: now + ticketLifeSeconds * 1000 });
    this.#characters += characters;
    return ticket;
  }

  /** What a ticket stands for; null when it is unknown, used, too old or somebody else's. */
  find(ticket: string, holder: string): PlannedArchive | null {
    const held = this.#held.get(ticket);
    if (held === undefined || held.archive.holder !== holder) return null;
    return held.endsAt > this.#now() ? held.archive : null;
  }

  /** Makes a ticket worthless. */
  use(ticket: string): void {
    this.#drop(ticket);
  }

  #drop(ticket: string): void {
    this.#characters -= this.#held.get(ticket)?.characters ?? 0;
    this.#held.delete(ticket);
  }
}
