/** The compression methods of a compression worker. */
export type BlockCodec = 'bzip2' | 'snappy' | 'xz';

/** A message to a compression worker: compress one block. */
export interface CompressOrder {
  readonly id: number;
  readonly codec: BlockCodec;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The answer of a compression worker to the {@link CompressOrder} with the same `id`. */
export type CompressAnswer =
  | { readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly id: number; readonly error: string };
