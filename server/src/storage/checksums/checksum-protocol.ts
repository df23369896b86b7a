/** A hash that files are compared by. */
export type HashName = 'md5' | 'sha1' | 'sha256' | 'sha512';

/**
 * A job of a checksum worker: to continue with the file `id` for at most {@link checksumSliceBytes}. The descriptor
 * stays open until it answers. `forget` gives the file up, and is not answered.
 */
export interface ChecksumJob {
  readonly kind: 'hash' | 'forget';
  readonly id: number;
  readonly descriptor: number;
  readonly algorithm: HashName;
  /** Two 32-bit words: anything but 0 in the first stops the work; the second counts the pieces that were read. */
  readonly state: SharedArrayBuffer;
}

/** `more` says that the slice is done and the file is not, `stopped` that the job was told to stop. */
export type ChecksumAnswer = { readonly id: number } & (
  | { readonly kind: 'more' }
  | { readonly kind: 'done'; readonly hex: string }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string }
);

/** Bytes are read in pieces of this size. */
export const checksumPieceBytes = 1024 * 1024;
/** After so many bytes of one file the turn is another's: 20 to 160 ms, as fast as machines are. */
export const checksumSliceBytes = 32 * checksumPieceBytes;
