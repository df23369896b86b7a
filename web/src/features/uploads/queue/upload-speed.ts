/**
 * A change of speed is visible to 63 % after this time; long enough to smooth the value, short enough to follow Wi-Fi.
 */
const smoothingMs = 3000;
/** Samples closer together than this are combined: their quotient would be noise. */
const shortestSampleMs = 50;
/** The first rate is reported after this time: initial bytes only fill the buffers of this machine. */
const firstSampleMs = 500;

/** A smoothed rate of a growing amount (bytes, or any other unit) that is sampled at irregular times. */
export class UploadSpeed {
  #amount = 0;
  #atMs: number | null = null;
  #perSecond = 0;
  #hasRate = false;

  /** Units per second; 0 until there are two samples. */
  get perSecond(): number {
    return this.#perSecond;
  }

  /** Records that `amount` had been reached at `nowMs`. A smaller amount than before starts a new measurement. */
  sample(amount: number, nowMs: number): void {
    if (this.#atMs === null || amount < this.#amount) {
      this.#amount = amount;
      this.#atMs = nowMs;
      return;
    }
    const elapsedMs = nowMs - this.#atMs;
    if (elapsedMs < (this.#hasRate ? shortestSampleMs : firstSampleMs)) return;
    const rate = ((amount - this.#amount) * 1000) / elapsedMs;
    const weight = this.#hasRate ? 1 - Math.exp(-elapsedMs / smoothingMs) : 1;
    this.#perSecond += (rate - this.#perSecond) * weight;
    this.#hasRate = true;
    this.#amount = amount;
    this.#atMs = nowMs;
  }

  /** Shifts the last measured amount by `change`, which was not transferred since, so that it does not affect the rate. */
  shift(change: number): void {
    this.#amount += change;
  }

  /** Returns the seconds until `remaining` units are done at this rate, or null while that is unknown. */
  secondsFor(remaining: number): number | null {
    if (remaining <= 0) return 0;
    return this.#perSecond > 0 ? remaining / this.#perSecond : null;
  }

  reset(): void {
    this.#atMs = null;
    this.#amount = 0;
    this.#perSecond = 0;
    this.#hasRate = false;
  }
}
