/** A checksum algorithm. */
export type HashName = 'md5' | 'sha1' | 'sha256' | 'sha512';

/**
 * A job of a checksum worker: continue with the file `id` for at most {@link checksumSliceBytes}. The descriptor stays open
 * until the worker responds. `forget` discards the state of the file and has no response.
 */
export interface ChecksumJob {
  readonly kind: 'hash' | 'forget';
  readonly id: number;
  readonly descriptor: number;
  readonly algorithm: HashName;
  /** Two 32-bit words: anything but 0 in the first stops the work; the second counts the pieces that were read. */
  readonly state: SharedArrayBuffer;
}

/** The response of a worker. `more`: the slice is done, the file is not. `stopped`: the job was cancelled. */
export type ChecksumResult = { readonly id: number } & (
  | { readonly kind: 'more' }
  | { readonly kind: 'done'; readonly hex: string }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string }
);

/** The size of one read, in bytes. */
export const checksumPieceBytes = 1024 * 1024;
/** Bytes of one file per turn, before the next party's turn: 20 to 160 ms, depending on the machine. */
export const checksumSliceBytes = 32 * checksumPieceBytes;
