/** The minimum length of an observation, in ms: shorter ones are noise. */
const intervalMs = 500;
/** The time constant with which observations lose weight, in ms: long enough to smooth, short enough to follow Wi-Fi. */
const memoryMs = 8_000;
/** The remaining time is reported only after this time, in ms: the first seconds only fill buffers. */
const firstEstimateMs = 3_500;
/** There is no estimate if the mean size of the remaining files differs by more than this factor from that of the sent ones. */
const comparableFactor = 8;
/** The maximum number of remaining files whose own time is neglected while the time of a file is unknown. */
const negligibleFiles = 20;

/** An amount that was sent or remains: bytes, and the number of files and folders, each of which takes time too. */
export interface UploadAmount {
  readonly bytes: number;
  readonly items: number;
}

/**
 * Estimates the remaining time of uploads, whether of few large or many small files: both the time of a byte and the time of a
 * file are determined from the observations (least squares). There is no estimate while the remaining files differ so much from
 * those sent that their time is unknown.
 */
export class UploadEstimate {
  #last: { bytes: number; items: number; atMs: number } | null = null;
  #measuredMs = 0;
  /** Weighted sums over the observations: ms, bytes and items, and their products. */
  #sums = { time: 0, bytes: 0, items: 0, bb: 0, bi: 0, ii: 0, tb: 0, ti: 0 };

  /** Records the total amount that had been sent at `nowMs`. */
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

  /** Adds `change` to the last recorded bytes, because they were counted as sent without being transferred. */
  shift(change: number): void {
    if (this.#last !== null) this.#last.bytes += change;
  }

  /** Returns the seconds until `remaining` is sent, or null while that is unknown. */
  secondsFor(remaining: UploadAmount): number | null {
    if (remaining.bytes <= 0 && remaining.items <= 0) return 0;
    if (this.#measuredMs < firstEstimateMs) return null;
    const costs = this.#costs(remaining);
    if (costs === null) return null;
    const { time, bytes, items } = this.#sums;
    const explained = costs.byte * bytes + costs.item * items;
    // The observed time includes pauses in which nothing was sent.
    const scale = explained > 0 ? time / explained : 0;
    const ms = scale * (costs.byte * remaining.bytes + costs.item * remaining.items);
    return ms > 0 ? ms / 1000 : null;
  }

  reset(): void {
    this.#last = null;
    this.#measuredMs = 0;
    this.#sums = { time: 0, bytes: 0, items: 0, bb: 0, bi: 0, ii: 0, tb: 0, ti: 0 };
  }

  /** Returns the time of a byte and of an item, in ms; null if they cannot be determined for `remaining`. */
  #costs(remaining: UploadAmount): { byte: number; item: number } | null {
    const { bytes, items, bb, bi, ii, tb, ti } = this.#sums;
    const determinant = bb * ii - bi * bi;
    // Near 0 when all observed files had similar sizes, so that the two times cannot be distinguished.
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
    // Files of similar sizes: half of the time is attributed to bytes, half to files.
    return { byte: bytes > 0 ? 0.5 / bytes : 0, item: 0.5 / items };
  }
}
