/** The formats that a decompression worker decodes. */
export type StreamCodec = 'bzip2' | 'lz4' | 'lzma' | 'xz';

/** A message to a decompression worker. */
export type DecompressRequest =
  /** Continues decoding. `input` is the next piece if it was requested, null at the end of the input. */
  | {
      readonly id: number;
      readonly codec: StreamCodec;
      readonly input?: Uint8Array<ArrayBuffer> | null;
    }
  /** Drops the decoder. There is no response. */
  | { readonly id: number; readonly isAbandoned: true };

/** The response to a request to continue. */
export type DecompressResult =
  | { readonly id: number; readonly output: Uint8Array<ArrayBuffer> }
  | { readonly id: number; readonly needsInput: true }
  | { readonly id: number; readonly isDone: true }
  | { readonly id: number; readonly error: string };
