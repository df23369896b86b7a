/** Yields the chunks of `source`, after `onChunk` was called with each; an error that it throws ends the iteration. */
export async function* observeChunks<Chunk extends Uint8Array>(
  source: AsyncIterable<Chunk>,
  onChunk: (chunk: Chunk) => void,
): AsyncGenerator<Chunk> {
  for await (const chunk of source) {
    onChunk(chunk);
    yield chunk;
  }
}
