import type { MediaSize, Place } from '@filestead/contract/previews';
import { grown } from '../model/entry-columns.ts';
import { assumedRatio } from './photo-layout.ts';

/** The state of an entry: `requested` until the response has arrived. */
const states = { unknown: 0, requested: 1, known: 2 } as const;

const smallestCapacity = 64;

/** Parses a time of the API: local time of the camera, or UTC. Returns Unix milliseconds; NaN for anything else. */
export const takenMsOf = (taken: string): number => Date.parse(taken);

/** The proportions, dates and durations of pictures and videos by their id, in arrays: there may be 100,000. */
export class PhotoSizes {
  #ratios = new Float32Array(smallestCapacity);
  #takenMs = new Float64Array(smallestCapacity);
  #seconds = new Float32Array(smallestCapacity);
  #states = new Uint8Array(smallestCapacity);
  /** The numbers of their places, from 1 on, in {@link #places}; 0 without a known one. */
  #placeNumbers = new Uint32Array(smallestCapacity);
  readonly #places: Place[] = [];
  readonly #numberOfPlace = new Map<string, number>();
  /** The modification time of the file whose properties are stored: those of a changed file are requested again. */
  #modifiedMs = new Float64Array(smallestCapacity);

  /** Returns width divided by height; an assumption until it is known. */
  ratioOf(id: number): number {
    return this.#ratios[id] || assumedRatio;
  }

  /** Whether the proportions are known. */
  isSizeKnown(id: number): boolean {
    return (this.#ratios[id] ?? 0) > 0;
  }

  /** Returns when a picture was taken, or null if that is unknown. */
  takenMsOf(id: number): number | null {
    return this.#takenMs[id] || null;
  }

  /** Returns the duration of a video, or null if that is unknown. */
  secondsOf(id: number): number | null {
    return this.#seconds[id] || null;
  }

  /** Returns where a picture was taken, or null if that is unknown. */
  placeOf(id: number): Place | null {
    return this.placeAt(this.placeNumberOf(id));
  }

  /** Returns the number of the place where a picture was taken: the same for all pictures of a town. 0 if it is unknown. */
  placeNumberOf(id: number): number {
    return this.#placeNumbers[id] ?? 0;
  }

  /** Returns the place with a number. */
  placeAt(number: number): Place | null {
    return this.#places[number - 1] ?? null;
  }

  /** Returns the numbers of all places, those with the latest pictures first. */
  placesByTime(timeOf: (id: number) => number): number[] {
    const latest = new Float64Array(this.#places.length + 1).fill(Number.NEGATIVE_INFINITY);
    for (const [id, number] of this.#placeNumbers.entries())
      if (number > 0) latest[number] = Math.max(latest[number] ?? 0, timeOf(id));
    const numbers = this.#places.map((_, index) => index + 1);
    return numbers.toSorted((one, other) => (latest[other] ?? 0) - (latest[one] ?? 0) || one - other);
  }

  /** Whether the properties of a file have arrived. */
  isKnown(id: number): boolean {
    return this.#states[id] === states.known;
  }

  /** Whether the properties of this version of a file have to be requested. */
  isMissing(id: number, modifiedMs: number): boolean {
    return (this.#states[id] ?? 0) === states.unknown || this.#modifiedMs[id] !== modifiedMs;
  }

  /** Records that the properties of a file are requested. */
  markRequested(id: number, modifiedMs: number): void {
    this.#reserve(id);
    this.#states[id] = states.requested;
    this.#modifiedMs[id] = modifiedMs;
  }

  /** Records that the request of the properties has failed. */
  unmarkRequested(id: number): void {
    if (this.#states[id] === states.requested) this.#states[id] = states.unknown;
  }

  /**
   * Stores a row of a response. Returns which of its properties have changed: `order` are those by which photos are sorted, date and place; `size` changes
   * only their positions; null for none.
   */
  store(id: number, row: MediaSize | null): 'order' | 'size' | null {
    this.#reserve(id);
    this.#states[id] = states.known;
    const ratio = row !== null && row.width > 0 && row.height > 0 ? row.width / row.height : 0;
    const takenMs = row?.taken === undefined ? 0 : takenMsOf(row.taken) || 0;
    const seconds = row?.seconds ?? 0;
    const hasDate = takenMs !== this.#takenMs[id];
    const place = row?.place === undefined ? 0 : this.#numberOf(row.place);
    const hasPlace = place !== this.#placeNumbers[id];
    const hasSize = Math.fround(ratio) !== this.#ratios[id] || Math.fround(seconds) !== this.#seconds[id];
    this.#placeNumbers[id] = place;
    this.#ratios[id] = ratio;
    this.#takenMs[id] = takenMs;
    this.#seconds[id] = seconds;
    return hasDate || hasPlace ? 'order' : hasSize ? 'size' : null;
  }

  /** Stores the proportions of a loaded picture. Returns whether they were unknown. */
  storeLoaded(id: number, width: number, height: number): boolean {
    if (this.isSizeKnown(id) || width <= 0 || height <= 0) return false;
    this.#reserve(id);
    this.#ratios[id] = width / height;
    return true;
  }

  #numberOf(place: Place): number {
    const key = `${place.country} ${place.town}`;
    const known = this.#numberOfPlace.get(key);
    if (known !== undefined) return known;
    const number = this.#places.push(place);
    this.#numberOfPlace.set(key, number);
    return number;
  }

  #reserve(id: number): void {
    if (id < this.#states.length) return;
    const capacity = Math.max(id + 1, this.#states.length * 2);
    this.#ratios = grown(this.#ratios, new Float32Array(capacity));
    this.#takenMs = grown(this.#takenMs, new Float64Array(capacity));
    this.#seconds = grown(this.#seconds, new Float32Array(capacity));
    this.#states = grown(this.#states, new Uint8Array(capacity));
    this.#placeNumbers = grown(this.#placeNumbers, new Uint32Array(capacity));
    this.#modifiedMs = grown(this.#modifiedMs, new Float64Array(capacity));
  }
}
