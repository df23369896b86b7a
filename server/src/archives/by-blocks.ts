/** Compresses a block into a complete stream. Takes ownership of the block. */
export type CompressBlock = (block: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;

/** Splits `source` into blocks of `blockBytes`; the last one may be shorter. */
async function* inBlocks(
  source: AsyncIterable<Uint8Array>,
  blockBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let block = new Uint8Array(blockBytes);
  let used = 0;
  for await (const piece of source) {
    for (let start = 0; start < piece.length;) {
      const part = piece.subarray(start, start + blockBytes - used);
      block.set(part, used);
      used += part.length;
      start += part.length;
      if (used < blockBytes) continue;
      yield block;
      block = new Uint8Array(blockBytes);
      used = 0;
    }
  }
  if (used > 0) yield block.slice(0, used);
}

/**
 * Compresses `source` in blocks, `parallel` of them concurrently, and yields the results in order. Suits only formats in
 * which concatenated streams are a valid stream.
 */
export async function* byBlocks(
  source: AsyncIterable<Uint8Array>,
  { blockBytes, parallel, compress }: { blockBytes: number; parallel: number; compress: CompressBlock },
): AsyncGenerator<Uint8Array> {
  const pending: Promise<Uint8Array>[] = [];
  for await (const block of inBlocks(source, blockBytes)) {
    const compressed = compress(block);
    // The error is thrown when this block is awaited below, or never when an earlier block fails first.
    compressed.catch(() => undefined);
    pending.push(compressed);
    if (pending.length < parallel) continue;
    const oldest = pending.shift();
    if (oldest !== undefined) yield await oldest;
  }
  for (const compressed of pending) yield await compressed;
}
