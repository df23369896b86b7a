import type { ServerResponse } from 'node:http';

/** A client that takes nothing for so long has its connection cut; a download of a file can be resumed by range. */
export const idleTimeoutMs = 10 * 60_000;

/** Cuts the connection of `response` unless the function it returns is called within {@link idleTimeoutMs}. */
export function closeWhenIdle(response: ServerResponse): () => void {
  const timer = setTimeout(() => response.destroy(), idleTimeoutMs);
  timer.unref();
  return () => clearTimeout(timer);
}
