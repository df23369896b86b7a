import type { ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';
import { isAppError } from '../../errors.ts';

/** An answer that has begun may end within so many milliseconds after the right to it was lost: most are small. */
const cutOffAfterMs = 250;
/** Rights are checked again this often, in milliseconds, for changes that nobody reports: by other processes, or by time. */
const recheckMs = 2_000;

/** Throws `not_signed_in`, `forbidden` or `not_found` when the request may not go on. */
type Check = () => Promise<void>;

/** Aborts the work of one request when its client leaves, or when the right to it is lost. */
export class RunningRequest {
  readonly #controller = new AbortController();
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  readonly #checks: Check[] = [];

  constructor(response: ServerResponse, clock: Clock) {
    this.#response = response;
    this.#clock = clock;
    if (response.destroyed) this.#controller.abort();
    else {
      response.once('close', () => {
        if (!response.writableFinished) this.#controller.abort();
        this.#checks.length = 0;
      });
    }
  }

  /** Its reason is the error to answer with when the right was lost. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Adds a condition under which the request may go on. */
  keepChecking(check: Check): void {
    this.#checks.push(check);
  }

  #cutOff(): void {
    if (!this.#response.writableEnded) this.#response.destroy();
  }

  /** Ends the request when one of its conditions is no longer met. An answer that has begun is cut off soon. */
  async recheck(): Promise<void> {
    try {
      for (const check of this.#checks) {
        if (this.#response.closed) return;
        await check();
      }
    } catch (error) {
      // Other failures say nothing about the right, and the request meets them by itself.
      if (!isAppError(error, 'not_signed_in', 'forbidden', 'not_found', 'password_required')) return;
      this.#controller.abort(error);
      if (this.#response.headersSent) this.#clock.after(cutOffAfterMs, () => this.#cutOff());
    }
  }
}

/** The requests that are being served, so that a change of rights reaches them. */
export class RunningRequests {
  readonly #running = new Set<RunningRequest>();
  readonly #clock: Clock;
  readonly #stop: () => void;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#stop = clock.every(recheckMs, () => this.rightsChanged());
  }

  begin(response: ServerResponse): RunningRequest {
    const request = new RunningRequest(response, this.#clock);
    this.#running.add(request);
    response.once('close', () => this.#running.delete(request));
    return request;
  }

  /** To be called after each change of users, sessions, rules or links: whoever lost the right is stopped. */
  rightsChanged(): void {
    for (const request of this.#running) void request.recheck();
  }

  close(): void {
    this.#stop();
  }
}
