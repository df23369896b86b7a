/** An interval of this length, in ms, is one observation: shorter ones are noise. */
const intervalMs = 500;
/** Observations lose weight over this time, in ms: long enough to smooth, short enough to follow Wi-Fi. */
const memoryMs = 8_000;
/** The remaining time is reported after this time: the first seconds only fill buffers. */
const firstEstimateMs = 3_500;
/** Sizes that differ by more than this factor from all that was observed say nothing about the remaining time. */
const comparableFactor = 8;
/** As many files as may remain although the time of a file is unknown. */
const negligibleFiles = 20;

/** The amount that was sent, or remains: bytes, and files and folders, each of which takes time of its own. */
export interface UploadAmount {
  readonly bytes: number;
  readonly items: number;
}

/**
 * Estimates the remaining time of uploads that consist of few large and of many small files: both the time of a byte and
 * the time of a file are determined from the observations (least squares). Says nothing while the remaining files
 * differ so much from those sent that their time is unknown.
 */
export class UploadEstimate {
  #last: { bytes: number; items: number; atMs: number } | null = null;
  #measuredMs = 0;
  /** Weighted sums over the observations: ms, bytes and items, and their products. */
  #sums = { time: 0, bytes: 0, items: 0, bb: 0, bi: 0, ii: 0, tb: 0, ti: 0 };

  /** Records what had been sent in total at `nowMs`. */
  sample({ bytes, items }: UploadAmount, nowMs: number): void {
    const last = this.#last;
    if (last === null || bytes < last.bytes || items < last.items) {
      this.#last = { bytes, items, atMs: nowMs };
      return;
    }
    const time = nowMs - last.atMs;
    if (time < intervalMs) return;
    const [b, i] = [bytes - last.bytes, items - last.items];
    const kept = Math.exp(-time / memoryMs);
    const s = this.#sums;
    this.#sums = {
      time: s.time * kept + time,
      bytes: s.bytes * kept + b,
      items: s.items * kept + i,
      bb: s.bb * kept + b * b,
      bi: s.bi * kept + b * i,
      ii: s.ii * kept + i * i,
      tb: s.tb * kept + time * b,
      ti: s.ti * kept + time * i,
    };
    this.#measuredMs += time;
    this.#last = { bytes, items, atMs: nowMs };
  }

  /** Shifts the last measured bytes by `change`, which were not transferred since. */
  shift(change: number): void {
    if (this.#last !== null) this.#last.bytes += change;
  }

  /** Returns the seconds until `remaining` is sent, or null while that is unknown. */
  secondsFor(remaining: UploadAmount): number | null {
    if (remaining.bytes <= 0 && remaining.items <= 0) return 0;
    if (this.#measuredMs < firstEstimateMs) return null;
    const prices = this.#prices(remaining);
    if (prices === null) return null;
    const { time, bytes, items } = this.#sums;
    const explained = prices.byte * bytes + prices.item * items;
    // Pauses, in which nothing was sent, belong to the observed time.
    const scale = explained > 0 ? time / explained : 0;
    const ms = scale * (prices.byte * remaining.bytes + prices.item * remaining.items);
    return ms > 0 ? ms / 1000 : null;
  }

  reset(): void {
    this.#last = null;
    this.#measuredMs = 0;
    this.#sums = { time: 0, bytes: 0, items: 0, bb: 0, bi: 0, ii: 0, tb: 0, ti: 0 };
  }

  /** Returns the time of a byte and of an item, in ms; null if the observations say nothing about `remaining`. */
  #prices(remaining: UploadAmount): { byte: number; item: number } | null {
    const { bytes, items, bb, bi, ii, tb, ti } = this.#sums;
    const determinant = bb * ii - bi * bi;
    // The share of what the two differ in; near 0 when all observed files were alike.
    if (items > 0 && bytes > 0 && determinant > 0.02 * bb * ii) {
      const byte = (tb * ii - ti * bi) / determinant;
      const item = (ti * bb - tb * bi) / determinant;
      if (byte >= 0 && item >= 0) return { byte, item };
      return byte < 0 ? { byte: 0, item: 1 } : { byte: 1, item: 0 };
    }
    if (items < 0.5) {
      const isComparable =
        remaining.items <= negligibleFiles || remaining.bytes / remaining.items >= 1024 * 1024;
      return bytes > 0 && isComparable ? { byte: 1, item: 0 } : null;
    }
    const observedSize = bytes / items;
    const remainingSize = remaining.items > 0 ? remaining.bytes / remaining.items : Infinity;
    const smallest = 1024;
    const factor = Math.max(smallest, remainingSize) / Math.max(smallest, observedSize);
    if (factor > comparableFactor || factor < 1 / comparableFactor) return null;
    // Alike files: half of the time by bytes, half by files.
    return { byte: bytes > 0 ? 0.5 / bytes : 0, item: 0.5 / items };
  }
}
