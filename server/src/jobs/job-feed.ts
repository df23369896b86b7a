import type { ServerResponse } from 'node:http';
import type { Job, JobEvent } from '@filestead/contract/jobs';
import type { Clock } from '../clock.ts';
import type { JobRecord } from './job-record.ts';
import type { JobListener } from './jobs.ts';

/** Progress is told at most this often. */
const intervalMs = 250;
/** A line without meaning is sent this often, so that nobody on the way takes the connection for dead. */
const heartbeatMs = 15_000;
/** A connection ends after so long; the client reconnects and shows its session again. */
const maxConnectionMs = 2 * 60_000;
/** A client whose connection broke tries again after so long. */
const retryMs = 2_000;
/** More than the tabs that people have open. */
const maxConnectionsPerUser = 20;

/** Tells those who follow their jobs what becomes of them. */
export interface JobFeed extends JobListener {
  /** Whether the user may follow once more. */
  hasRoomFor(userId: number): boolean;
  /** Sends everything about the user's jobs until the client leaves, is asked to reconnect, or `signal` is aborted. */
  follow(userId: number, response: ServerResponse, signal: AbortSignal): void;
  /** Ends all connections. */
  close(): void;
}

/** One client. What it has not read yet is not queued: it gets the state of then. */
class Connection {
  readonly #response: ServerResponse;
  readonly #stateOf: (id: string) => Job | null;
  readonly #changed = new Set<string>();
  readonly #clock: Clock;
  readonly #stopTimers: (() => void)[] = [];
  /** Cancels the end of the pause after what was sent last; null when there is no pause. */
  #cancelPause: (() => void) | null = null;
  #count = 0;

  constructor(response: ServerResponse, stateOf: (id: string) => Job | null, clock: Clock) {
    this.#response = response;
    this.#stateOf = stateOf;
    this.#clock = clock;
    response.on('drain', () => this.#flush());
  }

  open(jobs: Job[]): void {
    this.#response.write(`retry: ${retryMs}\n\n`);
    this.#send({ event: 'snapshot', data: { jobs } });
    this.#stopTimers.push(
      this.#clock.every(heartbeatMs, () => void this.#response.write(':\n\n')),
      this.#clock.after(maxConnectionMs, () => this.close()),
    );
  }

  close(): void {
    for (const stop of this.#stopTimers) stop();
    this.#cancelPause?.();
    this.#response.end();
  }

  touch(id: string): void {
    this.#changed.add(id);
    if (this.#cancelPause === null) this.#flush();
  }

  #flush(): void {
    if (this.#response.writableNeedDrain || this.#response.writableEnded || this.#changed.size === 0) return;
    for (const id of this.#changed) {
      const job = this.#stateOf(id);
      this.#send(job === null ? { event: 'removed', data: { id } } : { event: 'job', data: job });
    }
    this.#changed.clear();
    if (this.#cancelPause !== null) return;
    this.#cancelPause = this.#clock.after(intervalMs, () => {
      this.#cancelPause = null;
      this.#flush();
    });
  }

  #send({ event, data }: JobEvent): void {
    this.#response.write(`id: ${++this.#count}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}

/** Opens the feed; `jobsOf` gives a user's jobs, the newest first. */
export function openJobFeed(jobsOf: (userId: number) => readonly JobRecord[], clock: Clock): JobFeed {
  const connections = new Map<number, Set<Connection>>();
  const tell = (job: JobRecord): void => {
    for (const connection of connections.get(job.userId) ?? []) connection.touch(job.id);
  };
  return {
    changed: tell,
    removed: tell,
    hasRoomFor: (userId) => (connections.get(userId)?.size ?? 0) < maxConnectionsPerUser,
    follow(userId, response, signal) {
      const stateOf = (id: string): Job | null =>
        jobsOf(userId)
          .find((job) => job.id === id)
          ?.present() ?? null;
      const connection = new Connection(response, stateOf, clock);
      const ours = connections.get(userId) ?? new Set();
      connections.set(userId, ours.add(connection));
      // A stream that ends by itself is no error to the browser, as one that is cut off would be.
      signal.addEventListener('abort', () => connection.close(), { once: true });
      response.once('close', () => {
        connection.close();
        ours.delete(connection);
        if (ours.size === 0) connections.delete(userId);
      });
      connection.open(jobsOf(userId).map((job) => job.present()));
    },
    close() {
      for (const ours of connections.values()) for (const connection of ours) connection.close();
    },
  };
}
