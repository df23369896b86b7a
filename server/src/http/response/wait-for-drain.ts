import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { closeWhenIdle } from './close-when-idle.ts';

/**
 * Resolves when `sink` accepts more data, or when `response` is closed, at the latest after the idle timeout.
 */
export function waitForDrain(sink: Writable, response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const cancelTimeout = closeWhenIdle(response);
    const done = (): void => {
      cancelTimeout();
      sink.off('drain', done);
      response.off('close', done);
      resolve();
    };
    sink.once('drain', done);
    response.once('close', done);
  });
}
