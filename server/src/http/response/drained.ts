import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { closeWhenIdle } from './close-when-idle.ts';

/** Resolves when `sink` takes more, or will never take any again because `response` is closed, at last for a stalled client. */
export function drained(sink: Writable, response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const moved = closeWhenIdle(response);
    const done = (): void => {
      moved();
      sink.off('drain', done);
      response.off('close', done);
      resolve();
    };
    sink.once('drain', done);
    response.once('close', done);
  });
}
