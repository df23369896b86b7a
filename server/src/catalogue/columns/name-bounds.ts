import { growColumn } from '../grow-column.ts';

/** A block has 2^`blockShift` bytes of names: those of some ten entries. */
const blockShift = 8;
/** Longer names count as names of this number of bytes. */
const maxLength = 0xff;
/** The length of a day in seconds. */
export const daySeconds = 86_400;
const maxDay = 0xffff;

/** The block of names that contains a position. */
export const blockOf = (position: number): number => position >>> blockShift;

/**
 * The newest time and the shortest name of each block of names. A search leaves out blocks without good entries, so that most of
 * the hits of a frequent word cost little. Times and names that are gone may remain: the values are limits.
 */
export class NameBounds {
  readonly #reserved: number;
  /** No entry of the block was changed on a later day (days since 1970, rounded up). */
  newestDays = new Uint16Array(0);
  /** No name of the block is shorter than 255 bytes minus this number. */
  shortness = new Uint8Array(0);

  /** @param reservedBytes the bytes of names for which memory is reserved */
  constructor(reservedBytes: number) {
    this.#reserved = blockOf(reservedBytes);
  }

  /** Extends the limits by an entry whose name is from `start` to `end`. `time` is in Unix seconds and not negative. */
  add(start: number, end: number, time: number): void {
    const last = blockOf(end);
    if (last >= this.newestDays.length) {
      this.newestDays = growColumn(this.newestDays, last + 1, this.#reserved);
      this.shortness = growColumn(this.shortness, last + 1, this.#reserved);
    }
    const day = Math.min(maxDay, Math.ceil(time / daySeconds));
    const shortness = Math.max(0, maxLength - (end - start));
    for (let block = blockOf(start); block <= last; block++) {
      if (day > (this.newestDays[block] ?? 0)) this.newestDays[block] = day;
      if (shortness > (this.shortness[block] ?? 0)) this.shortness[block] = shortness;
    }
  }
}

/** The length of the shortest name that a value of {@link NameBounds.shortness} allows, in bytes. */
export const shortestLength = (shortness: number): number => maxLength - shortness;
