/** A hash that files are compared by. */
export type HashName = 'md5' | 'sha1' | 'sha256' | 'sha512';

/** What a checksum worker is asked for; the descriptor stays open until it answers. */
export interface ChecksumJob {
  readonly descriptor: number;
  readonly algorithm: HashName;
  /** Two 32-bit words: anything but 0 in the first stops the work; the second counts the pieces that were read. */
  readonly state: SharedArrayBuffer;
}

/** `stopped` says that the job was told to stop. */
export type ChecksumAnswer =
  | { readonly kind: 'done'; readonly hex: string }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string };

/** Bytes are read in pieces of this size. */
export const checksumPieceBytes = 1024 * 1024;
