/** What a compressing worker can do. */
export type BlockCodec = 'bzip2' | 'snappy' | 'xz';

/** One block to be compressed by itself. */
export interface CompressOrder {
  readonly id: number;
  readonly codec: BlockCodec;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export type CompressAnswer =
  | { readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly id: number; readonly error: string };
