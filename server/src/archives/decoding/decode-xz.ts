import {
  autoDecoderInit,
  code,
  copyFromWasm,
  copyToWasm,
  decoderInit,
  end,
  getModule,
  initModule,
  LZMA_FINISH,
  LZMA_OK,
  LZMA_RUN,
  LZMA_STREAM_END,
  WasmLzmaStream,
} from 'node-liblzma/wasm';
import { type Decoder, InputBuffer, type InputStep } from './input-buffer.ts';

/** Maximum memory of a decoder, in bytes: twice what the highest preset needs. */
const maxMemoryBytes = 160 * 1024 * 1024;
/** Bytes per call of the decoder, in and out. */
const pieceBytes = 256 * 1024;
/** Streams are padded with a multiple of four zero bytes. */
const paddingUnit = 4;

/** Loads the WebAssembly of liblzma, once per thread. */
export const prepareXz = async (): Promise<void> => void (await initModule());

/** Decodes concatenated xz streams. {@link prepareXz} has to be called before. */
export function* decodeXz(): Decoder {
  const input = new InputBuffer();
  while (yield* skipPadding(input)) yield* decodeStream(input, decoderInit);
}

/** Decodes a `.lzma` file. {@link prepareXz} has to be called before. */
export function decodeLzma(): Decoder {
  return decodeStream(new InputBuffer(), autoDecoderInit);
}

/** Skips zero bytes between streams. Returns false at the end of the input. */
function* skipPadding(input: InputBuffer): InputStep<boolean> {
  while (yield* input.fill(1)) {
    if (input.peek()[0] !== 0) return true;
    if (!(yield* input.fill(paddingUnit))) throw new Error('the padding of an xz stream is damaged');
    input.skip(paddingUnit);
  }
  return false;
}

function* decodeStream(input: InputBuffer, init: typeof decoderInit): Decoder {
  const module = getModule();
  const stream = new WasmLzmaStream(module);
  // Pieces of input and output are copied to and from these buffers.
  const outputStart = copyToWasm(module, new Uint8Array(pieceBytes));
  try {
    init(stream, maxMemoryBytes);
    for (;;) {
      const hasInput = yield* input.fill(1);
      const piece = input.peek().subarray(0, pieceBytes);
      const inputStart = piece.length > 0 ? copyToWasm(module, piece) : 0;
      try {
        stream.setInput(inputStart, piece.length);
        let state: number;
        let produced: number;
        do {
          stream.setOutput(outputStart, pieceBytes);
          state = code(stream, hasInput ? LZMA_RUN : LZMA_FINISH);
          produced = pieceBytes - stream.availOut;
          if (produced > 0) yield new Uint8Array(copyFromWasm(module, outputStart, produced));
        } while (state === LZMA_OK && (stream.availIn > 0 || produced === pieceBytes));
        input.skip(piece.length - stream.availIn);
        if (state === LZMA_STREAM_END) return;
        if (state !== LZMA_OK || !hasInput) throw new Error(`the xz or LZMA data is damaged (${state})`);
      } finally {
        if (inputStart !== 0) module._free(inputStart);
      }
    }
  } finally {
    end(stream);
    stream.free();
    module._free(outputStart);
  }
}
