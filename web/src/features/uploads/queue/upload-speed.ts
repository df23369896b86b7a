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
  /** The sum of the rates, each with its weight, and the sum of the weights: older ones weigh less. */
  #weightedRates = 0;
  #weights = 0;

  /** Units per second; 0 until there are two samples. */
  get perSecond(): number {
    return this.#weights > 0 ? this.#weightedRates / this.#weights : 0;
  }

  /** Records that `amount` had been reached at `nowMs`. A smaller amount than before starts a new measurement. */
  sample(amount: number, nowMs: number): void {
    if (this.#atMs === null || amount < this.#amount) {
      this.#amount = amount;
      this.#atMs = nowMs;
      return;
    }
    const elapsedMs = nowMs - this.#atMs;
    if (elapsedMs < (this.#weights > 0 ? shortestSampleMs : firstSampleMs)) return;
    const rate = ((amount - this.#amount) * 1000) / elapsedMs;
    const remaining = Math.exp(-elapsedMs / smoothingMs);
    this.#weightedRates = this.#weightedRates * remaining + rate * (1 - remaining);
    this.#weights = this.#weights * remaining + (1 - remaining);
    this.#amount = amount;
    this.#atMs = nowMs;
  }

  /** Shifts the last measured amount by `change`, which was not transferred since, so that it does not affect the rate. */
  shift(change: number): void {
    this.#amount += change;
  }

  reset(): void {
    this.#atMs = null;
    this.#amount = 0;
    this.#weightedRates = 0;
    this.#weights = 0;
  }
}
