import { parentPort } from 'node:worker_threads';
import { decodeBzip2 } from './decode-bzip2.ts';
import { decodeLz4 } from './decode-lz4.ts';
import { decodeLzma, decodeXz, prepareXz } from './decode-xz.ts';
import type { DecompressRequest, DecompressResult, StreamCodec } from './decompress-protocol.ts';
import type { Decoder } from './input-buffer.ts';

/** Decompresses streams for the main thread, which requests every piece, so that no more is decompressed than it consumes. */

const openers: Readonly<Record<StreamCodec, () => Decoder | Promise<Decoder>>> = {
  bzip2: decodeBzip2,
  lz4: decodeLz4,
  async lzma() {
    await prepareXz();
    return decodeLzma();
  },
  async xz() {
    await prepareXz();
    return decodeXz();
  },
};

const decoders = new Map<number, Decoder>();

const respond = (result: DecompressResult, transferred: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(result, transferred);

parentPort?.on('message', async (request: DecompressRequest) => {
  const { id } = request;
  try {
    let decoder = decoders.get(id);
    if ('isAbandoned' in request) {
      decoders.delete(id);
      decoder?.return();
      return;
    }
    decoder ??= await openers[request.codec]();
    decoders.set(id, decoder);
    const { value, done } = decoder.next(request.input ?? undefined);
    if (done === true) {
      decoders.delete(id);
      respond({ id, isDone: true });
    } else if (value === null) {
      respond({ id, needsInput: true });
    } else {
      const output = value.byteLength === value.buffer.byteLength ? value : value.slice();
      respond({ id, output }, [output.buffer]);
    }
  } catch (error) {
    decoders.delete(id);
    respond({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
