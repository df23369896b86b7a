import type { ServerResponse } from 'node:http';
import type { Job, JobEvent } from '@filestead/contract/jobs';
import type { Clock } from '../clock.ts';
import type { JobRecord } from './job-record.ts';
import type { JobListener } from './jobs.ts';

/** Minimum time between two progress events. */
const intervalMs = 250;
/** Interval of the comment lines that keep proxies from closing an idle connection. */
const heartbeatMs = 15_000;
/** Maximum duration of a connection. The client then reconnects, and its session is checked again. */
const maxConnectionMs = 2 * 60_000;
/** Delay after which a client reconnects. */
const retryMs = 2_000;
/** Maximum number of connections per user; higher than the number of tabs that people usually open. */
const maxConnectionsPerUser = 20;

/** Server-sent events about the jobs of a user. */
export interface JobFeed extends JobListener {
  /** Whether the user may open another connection. */
  hasRoomFor(userId: number): boolean;
  /** Sends the state and all changes of the user's jobs until the client disconnects, has to reconnect, or `signal` is aborted. */
  follow(userId: number, response: ServerResponse, signal: AbortSignal): void;
  /** Ends all connections. */
  close(): void;
}

/** The connection of one client. Changes are not queued for a slow client; it gets the latest state when it reads again. */
class Connection {
  readonly #response: ServerResponse;
  readonly #stateOf: (id: string) => Job | null;
  readonly #changed = new Set<string>();
  readonly #clock: Clock;
  readonly #stopTimers: (() => void)[] = [];
  /** Cancels the timer that ends the pause after the last event; null when there is no pause. */
  #cancelPause: (() => void) | null = null;
  #count = 0;

  constructor(response: ServerResponse, stateOf: (id: string) => Job | null, clock: Clock) {
    this.#response = response;
    this.#stateOf = stateOf;
    this.#clock = clock;
    response.on('drain', () => this.#flush());
  }

  /** Sends the snapshot and starts the timers. */
  open(jobs: Job[]): void {
    this.#response.write(`retry: ${retryMs}\n\n`);
    this.#send({ event: 'snapshot', data: { jobs } });
    this.#stopTimers.push(
      this.#clock.every(heartbeatMs, () => void this.#response.write(':\n\n')),
      this.#clock.after(maxConnectionMs, () => this.close()),
    );
  }

  /** Ends the response. */
  close(): void {
    for (const stop of this.#stopTimers) stop();
    this.#cancelPause?.();
    this.#response.end();
  }

  /** Schedules an event with the state of a job that has changed. */
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

/** Opens the feed. `jobsOf` returns a user's jobs, the newest first. */
export function openJobFeed(jobsOf: (userId: number) => readonly JobRecord[], clock: Clock): JobFeed {
  const connections = new Map<number, Set<Connection>>();
  const notify = (job: JobRecord): void => {
    for (const connection of connections.get(job.userId) ?? []) connection.touch(job.id);
  };
  return {
    changed: notify,
    removed: notify,
    hasRoomFor: (userId) => (connections.get(userId)?.size ?? 0) < maxConnectionsPerUser,
    follow(userId, response, signal) {
      const stateOf = (id: string): Job | null =>
        jobsOf(userId)
          .find((job) => job.id === id)
          ?.present() ?? null;
      const connection = new Connection(response, stateOf, clock);
      const userConnections = connections.get(userId) ?? new Set();
      connections.set(userId, userConnections.add(connection));
      // A browser reports an aborted stream as an error, but not one that ends regularly.
      signal.addEventListener('abort', () => connection.close(), { once: true });
      response.once('close', () => {
        connection.close();
        userConnections.delete(connection);
        if (userConnections.size === 0) connections.delete(userId);
      });
      connection.open(jobsOf(userId).map((job) => job.present()));
    },
    close() {
      for (const userConnections of connections.values())
        for (const connection of userConnections) connection.close();
    },
  };
}
