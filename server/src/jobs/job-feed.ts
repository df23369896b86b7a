import type { Job, JobEvent } from '@filestead/contract/jobs';
import type { Clock } from '../clock.ts';
import type { EventStream } from '../http/response/event-stream.ts';
import type { JobRecord } from './job-record.ts';
import type { JobListener } from './job-list.ts';

/** Minimum time between two progress events. */
const intervalMs = 250;
/** Maximum number of connections per user; higher than the number of tabs that people usually open. */
const maxConnectionsPerUser = 20;

/** The names of the events in a stream. */
export type JobEventNames = Readonly<Record<JobEvent['event'], string>>;

/** The names in a stream that contains nothing but jobs. */
const ownNames: JobEventNames = { snapshot: 'snapshot', job: 'job', removed: 'removed' };

/** Server-sent events about the jobs of a user. */
export interface JobFeed extends JobListener {
  /** Whether the user may open another connection. */
  hasRoomFor(userId: number): boolean;
  /** Sends the state and all changes of the user's jobs until the stream ends. The connection counts as one of the user's. */
  follow(userId: number, stream: EventStream): void;
  /** As {@link JobFeed.follow}, in a stream that does not count as one of the user's, with other event names. */
  join(userId: number, stream: EventStream, names: JobEventNames): void;
  /** Ends all connections. */
  close(): void;
}

/** The jobs in the stream of one client. A client that reads slowly gets the latest state when it reads again. */
class JobStream {
  readonly stream: EventStream;
  /** Whether the stream was opened for jobs only. */
  readonly isOwn: boolean;
  readonly #names: JobEventNames;
  readonly #stateOf: (id: string) => Job | null;
  readonly #changed = new Set<string>();
  readonly #clock: Clock;
  /** Cancels the timer that ends the pause after the last event; null when there is no pause. */
  #cancelPause: (() => void) | null = null;

  constructor(
    stream: EventStream,
    { names, stateOf, clock }: { names: JobEventNames; stateOf: (id: string) => Job | null; clock: Clock },
  ) {
    this.stream = stream;
    this.isOwn = names === ownNames;
    this.#names = names;
    this.#stateOf = stateOf;
    this.#clock = clock;
    stream.onDrain(() => this.#flush());
    stream.onClose(() => this.#cancelPause?.());
  }

  /** Sends all jobs. */
  open(jobs: Job[]): void {
    this.#send({ event: 'snapshot', data: { jobs } });
  }

  /** Schedules an event with the state of a job that has changed. The end of a job is sent without a pause. */
  touch({ id, hasEnded }: Pick<JobRecord, 'id' | 'hasEnded'>): void {
    this.#changed.add(id);
    if (hasEnded || this.#cancelPause === null) this.#flush();
  }

  #flush(): void {
    if (this.stream.isBlocked || this.#changed.size === 0) return;
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
    this.stream.send(this.#names[event], JSON.stringify(data));
  }
}

/** Opens the feed. `jobsOf` returns a user's jobs, the newest first. */
export function openJobFeed(jobsOf: (userId: number) => readonly JobRecord[], clock: Clock): JobFeed {
  const streams = new Map<number, Set<JobStream>>();
  const notify = (job: JobRecord): void => {
    for (const stream of streams.get(job.userId) ?? []) stream.touch(job);
  };
  const join: JobFeed['join'] = (userId, stream, names) => {
    const stateOf = (id: string): Job | null =>
      jobsOf(userId)
        .find((job) => job.id === id)
        ?.present() ?? null;
    const jobStream = new JobStream(stream, { names, stateOf, clock });
    const userStreams = streams.get(userId) ?? new Set();
    streams.set(userId, userStreams.add(jobStream));
    stream.onClose(() => {
      userStreams.delete(jobStream);
      if (userStreams.size === 0) streams.delete(userId);
    });
    jobStream.open(jobsOf(userId).map((job) => job.present()));
  };
  return {
    changed: notify,
    removed: notify,
    hasRoomFor: (userId) =>
      [...(streams.get(userId) ?? [])].filter(({ isOwn }) => isOwn).length < maxConnectionsPerUser,
    follow: (userId, stream) => join(userId, stream, ownNames),
    join,
    close() {
      for (const userStreams of streams.values())
        for (const { stream, isOwn } of userStreams) if (isOwn) stream.close();
    },
  };
}
