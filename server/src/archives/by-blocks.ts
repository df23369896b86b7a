/** Turns a block, which is handed over, into a compressed stream of its own. */
export type CompressBlock = (block: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;

/** Gathers `source` into blocks of `blockBytes`; the last one may be shorter. */
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
 * Compresses `source` block by block, several side by side, and gives the results in order. For formats of which several
 * streams one after the other are a stream again.
 */
export async function* byBlocks(
  source: AsyncIterable<Uint8Array>,
  { blockBytes, parallel, compress }: { blockBytes: number; parallel: number; compress: CompressBlock },
): AsyncGenerator<Uint8Array> {
  const underWay: Promise<Uint8Array>[] = [];
  for await (const block of inBlocks(source, blockBytes)) {
    const work = compress(block);
    // Its error is met when its turn comes, or not at all when another came first.
    work.catch(() => undefined);
    underWay.push(work);
    if (underWay.length < parallel) continue;
    const oldest = underWay.shift();
    if (oldest !== undefined) yield await oldest;
  }
  for (const work of underWay) yield await work;
}
