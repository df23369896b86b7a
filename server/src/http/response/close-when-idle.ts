import type { ServerResponse } from 'node:http';

/**
 * Time without progress after which the connection of a client is closed. File downloads can be resumed by
 * range.
 */
export const idleTimeoutMs = 10 * 60_000;

/**
 * Closes the connection of `response` unless the returned function is called within {@link idleTimeoutMs}.
 */
export function closeWhenIdle(response: ServerResponse): () => void {
  const timer = setTimeout(() => response.destroy(), idleTimeoutMs);
  timer.unref();
  return () => clearTimeout(timer);
}
