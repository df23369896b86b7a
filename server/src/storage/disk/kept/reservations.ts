import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { KeptEntry } from '../../kept/kept-entries.ts';

/** A record that was written before its entry loses its name. */
export type Reservation = Omit<KeptEntry, 'kind' | 'size' | 'modifiedNs'>;

/** The number of reservations that are remembered. The record of a forgotten one stays in the ledger without an entry. */
const maxReservations = 5_000;

const keyOf = (operation: string, place: string): string => `${operation}\0${place}`;

/** Records of entries that an operation is going to remove next, which were flushed together. */
export class Reservations {
  readonly #reservations = new Map<string, Reservation>();

  has(operation: string, place: string): boolean {
    return this.#reservations.has(keyOf(operation, place));
  }

  add(operation: string, reservation: Reservation): void {
    if (this.#reservations.size >= maxReservations) {
      const [oldest = ''] = this.#reservations.keys();
      this.#reservations.delete(oldest);
    }
    this.#reservations.set(keyOf(operation, reservation.place), reservation);
  }

  /** Forgets the reservations in the store `path`, whose ledger is no longer there. */
  forget(path: VirtualPath): void {
    for (const [key, { store }] of this.#reservations) if (store === path) this.#reservations.delete(key);
  }

  /** Returns the reservation of a place and forgets it. */
  take(operation: string, place: string): Reservation | undefined {
    const key = keyOf(operation, place);
    const reservation = this.#reservations.get(key);
    this.#reservations.delete(key);
    return reservation;
  }
}
