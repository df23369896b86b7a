/**
 * How fast the scanning thread works on requests that are not urgent: without pauses, for a quarter of its time, or `remote`: on a
 * disk whose calls another machine or a program answers.
 */
export type ScanPaceName = 'full' | 'quarter' | 'remote';

/** The duration of a slice of work, in milliseconds. A slow call makes it longer. */
export const sliceMs = 5;
/** The pause after each slice with the pace `quarter`, in milliseconds. */
const pauseMs = 3 * sliceMs;
/** A remote disk rests for this multiple of the time that it has worked. */
const remoteRest = 10;
/** A remote disk that has worked so long on this number of slices (milliseconds) is left alone for {@link longRestMs}. */
const slowMs = 5_000;
const maxSlowSlices = 3;
const longRestMs = 10 * 60_000;

/** Decides how long the scanning thread pauses between slices of work that is not urgent. */
export class ScanPace {
  readonly #name: ScanPaceName;
  #slowSlices = 0;

  constructor(name: ScanPaceName) {
    this.#name = name;
  }

  /** The pause after a slice that took `workedMs`, in milliseconds. */
  pauseAfter(workedMs: number): number {
    if (this.#name === 'full') return 0;
    if (this.#name === 'quarter') return pauseMs;
    if (workedMs > slowMs) this.#slowSlices += 1;
    if (this.#slowSlices < maxSlowSlices) return remoteRest * workedMs;
    this.#slowSlices = 0;
    return longRestMs;
  }
}
