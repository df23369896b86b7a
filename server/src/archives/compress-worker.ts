import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import BZip2 from 'bzip2-wasm';
import loadModule from 'bzip2-wasm/bzip2-1.0.8/bzip2.mjs';
import { xzAsync } from 'node-liblzma/wasm';
import { Compressor } from 'snappy';
import type { BlockCodec, CompressResult, CompressRequest } from './compress-protocol.ts';

/** Compresses single blocks for the main thread. Each result is a complete stream of its format. */

/** The largest block size of bzip2, in units of 100 kB. */
const bzip2BlockSize = 9;
let bzip2: Promise<BZip2> | undefined;

async function openBzip2(): Promise<BZip2> {
  const opened = new BZip2();
  const require = createRequire(import.meta.url);
  Object.assign(globalThis, { require, __dirname: import.meta.dirname });
  // Replaces `init()`, which removes `file://` but keeps percent-escapes, so that it fails in a folder with a space in its name.
  // The path below is not escaped.
  opened.wasmModule = await loadModule({
    locateFile: (name) => `file://${require.resolve(`bzip2-wasm/bzip2-1.0.8/${name}`)}`,
  });
  return opened;
}

/** Compression level of xz. Higher levels take several times as long and save a few percent. */
const xzPreset = 1;

const codecs: Readonly<Record<BlockCodec, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  async bzip2(bytes) {
    bzip2 ??= openBzip2();
    // Incompressible data grows by at most 1 % and 600 bytes (manual of libbzip2, BZ2_bzBuffToBuffCompress).
    const longest = Math.ceil(bytes.length * 1.01) + 600;
    return (await bzip2).compress(bytes, bzip2BlockSize, longest);
  },
  async snappy(bytes) {
    const compressor = new Compressor();
    const begin = compressor.update(bytes);
    return Buffer.concat([begin, await compressor.finish()]);
  },
  xz: (bytes) => xzAsync(bytes, { preset: xzPreset }),
};

parentPort?.on('message', async ({ id, codec, bytes }: CompressRequest) => {
  try {
    const compressed = Uint8Array.from(await codecs[codec](bytes));
    parentPort?.postMessage({ id, bytes: compressed } satisfies CompressResult, [compressed.buffer]);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    parentPort?.postMessage({ id, error: message } satisfies CompressResult, []);
  }
});
