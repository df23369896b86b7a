import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';

/** Resolves when `sink` takes more, or will never take any again because `response` is closed. */
export function drained(sink: Writable, response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      sink.off('drain', done);
      response.off('close', done);
      resolve();
    };
    sink.once('drain', done);
    response.once('close', done);
  });
}
