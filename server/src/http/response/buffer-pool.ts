/** A pool of buffers of one size, so that many transfers together need little memory. */
export interface BufferPool {
  readonly bufferBytes: number;
  /** Returns a buffer with undefined content, or null if all are in use. */
  take(): Buffer | null;
  /**
   * Returns a buffer that is no longer read or written. A buffer that is not returned is replaced by a new
   * one.
   */
  release(buffer: Buffer): void;
  /** Reports that a buffer will not be returned, because it may still be in use. */
  forget(): void;
}

/**
 * Creates a pool.
 * @param bufferBytes the size of each buffer
 * @param maxLent the maximum number of buffers in use
 * @param maxKept the maximum number of idle buffers to keep
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
    release(buffer) {
      lent -= 1;
      if (idle.length < maxKept) idle.push(buffer);
    },
    forget() {
      lent -= 1;
    },
  };
}
