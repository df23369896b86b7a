import type { ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';
import { isAppError } from '../../errors.ts';

/**
 * Time in milliseconds that a response in progress may continue after its permission was lost: most are small and
 * end by themselves.
 */
const closeAfterMs = 250;
/**
 * Interval in milliseconds for rechecking permissions, for changes made by other processes or by the passing
 * of time.
 */
const recheckMs = 2_000;

/** Throws `not_signed_in`, `forbidden` or `not_found` if the request may not continue. */
type Check = () => Promise<void>;

/** Aborts the work of one request when its client disconnects or its permission is lost. */
export class RunningRequest {
  /** Created when the signal is first used, which it never is for most short requests. */
  #controller: AbortController | null = null;
  #aborted: { readonly reason?: unknown } | null = null;
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  readonly #checks: Check[] = [];
  #isRechecking = false;
  #isRecheckDue = false;
  /** Its position in the list of {@link RunningRequests}. */
  position = 0;

  constructor(response: ServerResponse, clock: Clock) {
    this.#response = response;
    this.#clock = clock;
    if (response.destroyed) this.#abort();
    else {
      response.once('close', () => {
        if (!response.writableFinished) this.#abort();
        this.#checks.length = 0;
      });
    }
  }

  /** Aborted when the request must stop; with the error for the response if the permission was lost. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#aborted !== null) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  #abort(reason?: unknown): void {
    this.#aborted ??= { reason };
    this.#controller?.abort(reason);
  }

  /** Adds a condition for continuing the request. */
  keepChecking(check: Check): void {
    this.#checks.push(check);
  }

  #closeResponse(): void {
    if (!this.#response.writableEnded) this.#response.destroy();
  }

  /**
   * Aborts the request if one of its conditions is no longer met. A response in progress is closed after
   * {@link closeAfterMs}. While a check is running, which a slow disk may delay, only one more is scheduled.
   */
  async recheck(): Promise<void> {
    this.#isRecheckDue = true;
    if (this.#isRechecking) return;
    this.#isRechecking = true;
    while (this.#isRecheckDue) {
      this.#isRecheckDue = false;
      await this.#check();
    }
    this.#isRechecking = false;
  }

  async #check(): Promise<void> {
    try {
      for (const check of this.#checks) {
        if (this.#response.closed) return;
        await check();
      }
    } catch (error) {
      // Other failures are unrelated to permissions; the request encounters them itself.
      if (!isAppError(error, 'not_signed_in', 'forbidden', 'not_found', 'password_required')) return;
      this.#abort(error);
      if (this.#response.headersSent) this.#clock.after(closeAfterMs, () => this.#closeResponse());
    }
  }
}

/** The requests in progress, which are notified of changed permissions. */
export class RunningRequests {
  /**
   * In no particular order. Not a `Set`: when many values pass through one, V8 replaces its table every few dozen, and each table
   * refers to the next one. As soon as one is in the old generation, all later ones, with the requests in them, get there too.
   */
  readonly #running: RunningRequest[] = [];
  readonly #clock: Clock;
  readonly #stop: () => void;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#stop = clock.every(recheckMs, () => this.permissionsChanged());
  }

  /** Adds a request, until its response is closed. */
  begin(response: ServerResponse): RunningRequest {
    const request = new RunningRequest(response, this.#clock);
    request.position = this.#running.push(request) - 1;
    response.once('close', () => this.#end(request));
    return request;
  }

  #end({ position }: RunningRequest): void {
    const last = this.#running.pop();
    if (last === undefined || last.position === position) return;
    this.#running[position] = last;
    last.position = position;
  }

  /**
   * Must be called after each change of users, sessions, rules or shares; aborts requests that lost their
   * permission.
   */
  permissionsChanged(): void {
    for (const request of this.#running) void request.recheck();
  }

  /** Ends the regular checks of the permissions. */
  close(): void {
    this.#stop();
  }
}
