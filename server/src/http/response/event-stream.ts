import type { ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';

/** Interval of the comment lines that keep proxies from closing an idle connection. */
const heartbeatMs = 15_000;
/** Maximum duration of a stream. The client then reconnects, and its session is checked again. */
const maxDurationMs = 2 * 60_000;
/** The delay after which a client reconnects. */
const retryMs = 2_000;

/** The headers of a response with server-sent events. Reverse proxies neither buffer nor compress it. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const;

/**
 * Server-sent events to one client. Nothing is queued for a client that reads slowly: senders wait until {@link EventStream.isBlocked}
 * is false, and then send the latest state.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  readonly #stopTimers: (() => void)[] = [];
  readonly #onClose: (() => void)[] = [];
  #count = 0;
  #isClosed = false;

  /** @param response whose head was written */
  constructor(response: ServerResponse, clock: Clock) {
    this.#response = response;
    this.#clock = clock;
    response.once('close', () => this.close());
  }

  /** Sends the reconnection delay and starts the timers. */
  open(): void {
    this.#response.write(`retry: ${retryMs}\n\n`);
    this.#stopTimers.push(
      this.#clock.every(heartbeatMs, () => {
        if (!this.isBlocked) this.#response.write(':\n\n');
      }),
      this.#clock.after(maxDurationMs, () => this.close()),
    );
  }

  /** Whether the client has not read what was sent, or the stream has ended. */
  get isBlocked(): boolean {
    return this.#isClosed || this.#response.writableNeedDrain || this.#response.writableEnded;
  }

  /** Calls `listener` each time the client has read what was sent. */
  onDrain(listener: () => void): void {
    this.#response.on('drain', listener);
  }

  /** Calls `listener` once when the stream ends. */
  onClose(listener: () => void): void {
    if (this.#isClosed) listener();
    else this.#onClose.push(listener);
  }

  /** Sends an event. `data` is JSON. */
  send(event: string, data: string): void {
    if (this.#isClosed) return;
    this.#response.write(`id: ${++this.#count}\nevent: ${event}\ndata: ${data}\n\n`);
  }

  /** Ends the response. A browser reports an aborted stream as an error, but not one that ends regularly. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const stop of this.#stopTimers) stop();
    this.#response.end();
    for (const listener of this.#onClose) listener();
  }
}
