import { randomBytes } from 'node:crypto';
import type { ArchiveFormat } from '@filestead/contract/values/archive-formats';
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
const maxCharacters = 64 * 1024 * 1024;
const maxTickets = 10_000;
/** Limits of one party, so that it cannot make the server drop the tickets of others. */
const maxCharactersPerParty = maxCharacters / 2;
const maxTicketsPerParty = 100;

/** A ticket that was not used yet. */
interface IssuedTicket {
  readonly archive: PlannedArchive;
  readonly party: string;
  readonly characters: number;
  readonly endsAt: number;
}

/** Tickets for downloads. Each is valid once, and only for its holder. */
export class ArchiveTickets {
  /** In the order in which they expire. */
  readonly #issued = new Map<string, IssuedTicket>();
  /** The tickets of each party that has any, the oldest first. */
  readonly #ofParties = new Map<string, Set<string>>();
  readonly #now: () => number;
  #characters = 0;

  /** @param now returns the time in Unix milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Issues a ticket. At a limit of `party` its oldest tickets are dropped. */
  issue(archive: PlannedArchive, party: string): string {
    const characters = archive.paths.reduce((sum, path) => sum + path.length, 0);
    const now = this.#now();
    const own = [...(this.#ofParties.get(party) ?? [])];
    const charactersOf = (ticket: string): number => this.#issued.get(ticket)?.characters ?? 0;
    let ownCharacters = own.reduce((sum, ticket) => sum + charactersOf(ticket), characters);
    for (const [position, ticket] of own.entries()) {
      const isTooMany = own.length - position >= maxTicketsPerParty;
      if (!isTooMany && ownCharacters <= maxCharactersPerParty) break;
      ownCharacters -= charactersOf(ticket);
      this.#drop(ticket);
    }
    for (const [ticket, { endsAt }] of this.#issued) {
      const isFull = this.#characters + characters > maxCharacters || this.#issued.size >= maxTickets;
      if (endsAt > now && !isFull) break;
      this.#drop(ticket);
    }
    const ticket = randomBytes(ticketBytes).toString('base64url');
    this.#issued.set(ticket, { archive, party, characters, endsAt: now + ticketLifeSeconds * 1000 });
    this.#ofParties.set(party, (this.#ofParties.get(party) ?? new Set()).add(ticket));
    this.#characters += characters;
    return ticket;
  }

  /** Returns the archive of a ticket; null when the ticket is unknown, used, expired or has another holder. */
  find(ticket: string, holder: string): PlannedArchive | null {
    const issued = this.#issued.get(ticket);
    if (issued === undefined || issued.archive.holder !== holder) return null;
    return issued.endsAt > this.#now() ? issued.archive : null;
  }

  /** Invalidates a ticket. */
  use(ticket: string): void {
    this.#drop(ticket);
  }

  #drop(ticket: string): void {
    const issued = this.#issued.get(ticket);
    if (issued === undefined) return;
    this.#characters -= issued.characters;
    this.#issued.delete(ticket);
    const own = this.#ofParties.get(issued.party);
    own?.delete(ticket);
    if (own?.size === 0) this.#ofParties.delete(issued.party);
  }
}
