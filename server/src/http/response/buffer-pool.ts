/** Lends buffers of one size, so that many transfers in turn need the memory of a few. */
export interface BufferPool {
  readonly bufferBytes: number;
  /** A buffer whose content is undefined, or null when all are lent. */
  take(): Buffer | null;
  /** Only for buffers that nobody reads or writes any more. A buffer that is not given back is replaced by a new one. */
  giveBack(buffer: Buffer): void;
  /** Says that a buffer will not come back, because something may still be using it. */
  forget(): void;
}

/**
 * @param bufferBytes  the size of each buffer
 * @param maxLent      how many may be lent at once
 * @param maxKept      how many idle ones are kept for the next borrower
 */
export function createBufferPool(bufferBytes: number, maxLent: number, maxKept: number): BufferPool {
  const idle: Buffer[] = [];
  let lent = 0;
  return {
    bufferBytes,
    take() {
      if (lent >= maxLent) return null;
      lent += 1;
      return idle.pop() ?? Buffer.allocUnsafeSlow(bufferBytes);
    },
    giveBack(buffer) {
      lent -= 1;
      if (idle.length < maxKept) idle.push(buffer);
    },
    forget() {
      lent -= 1;
    },
  };
}
