/** The compression methods of a compression worker. */
export type BlockCodec = 'bzip2' | 'snappy' | 'xz';

/** A message to a compression worker: compress one block. */
export interface CompressRequest {
  readonly id: number;
  readonly codec: BlockCodec;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The response of a compression worker to the {@link CompressRequest} with the same `id`. */
export type CompressResult =
  | { readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly id: number; readonly error: string };
