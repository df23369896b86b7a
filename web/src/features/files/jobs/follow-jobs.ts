import { followJobs, getJob, listJobs, type Job, type JobEvent } from '@filestead/contract/jobs';
import { call, isApiError, urlOf } from '../../../api/call.ts';
import { currentToken, subscribeToToken } from '../../../api/token-store.ts';
import { applyJobEvent, forgetJobs, isActive, useJobs } from './job-store.ts';

/** The connection is kept this long after the last job ended, in ms: often the next one follows at once. */
const lingerMs = 5000;
/** Asked again after so long, in ms, in case that something on the way holds the events back. */
const askAgainMs = 10_000;

type Listener = (job: Job | null) => void;

/** Who waits for the end of a job; told null when the server has forgotten it. */
const waiting = new Map<string, Set<Listener>>();
let source: EventSource | null = null;
let closing: ReturnType<typeof setTimeout> | undefined;
let asking: ReturnType<typeof setTimeout> | undefined;
let isWatching = false;
/** A session has ended; the next one on this page has jobs of its own, or the same again. */
let hasForgotten = false;

const isWanted = (): boolean => waiting.size > 0 || useJobs.getState().jobs.some(isActive);

/**
 * Reads the jobs of whoever is signed in, and follows them as long as one is at work: browsers open few connections to a
 * server, and one that only waits would take the place of another. When the server cannot be asked all stays as it is.
 */
export async function watchJobs(): Promise<void> {
  if (!isWatching) {
    isWatching = true;
    subscribeToToken(() => {
      if (currentToken() === null) forgetAll();
      else if (hasForgotten) {
        hasForgotten = false;
        void watchJobs();
      }
    });
  }
  if (currentToken() === null) return;
  try {
    applyJobs({ event: 'snapshot', data: { jobs: await call(listJobs) } });
  } catch {
    // What waits is asked for again.
    follow();
  }
}

/** Calls `listener` once when the job has ended, or has been forgotten. */
export function whenEnded(id: string, listener: Listener): void {
  const listeners = waiting.get(id) ?? new Set();
  listeners.add(listener);
  waiting.set(id, listeners);
  follow();
}

/** Takes in the answer that began a job. An event may have come first, and knows more. */
export function fetchNewJobs(job: Job): void {
  const known = useJobs.getState().jobs.find(({ id }) => id === job.id);
  applyJobs({ event: 'job', data: known ?? job });
}

/** Takes in an answer or an event, and follows what is at work. */
export function applyJobs(event: JobEvent): void {
  applyJobEvent(event);
  tellWaiting(event);
  follow();
}

function tellWaiting({ event, data }: JobEvent): void {
  if (event === 'removed') tell(data.id, null);
  else if (event === 'job') tellIfEnded(data);
  else {
    for (const job of data.jobs) tellIfEnded(job);
    for (const id of waiting.keys()) if (!data.jobs.some((job) => job.id === id)) void seek(id);
  }
}

/** A job is missing in a snapshot, which may be older than the job: only the server's word makes it forgotten. */
async function seek(id: string): Promise<void> {
  try {
    tellIfEnded(await call(getJob, { params: { id } }));
  } catch (error) {
    if (isApiError(error, 'not_found')) tell(id, null);
  }
}

function tellIfEnded(job: Job): void {
  if (!isActive(job)) tell(job.id, job);
}

function tell(id: string, job: Job | null): void {
  const listeners = waiting.get(id);
  waiting.delete(id);
  for (const listener of listeners ?? []) listener(job);
}

function follow(): void {
  clearTimeout(asking);
  if (!isWanted()) {
    closing ??= setTimeout(close, lingerMs);
    return;
  }
  clearTimeout(closing);
  closing = undefined;
  asking = setTimeout(() => void watchJobs(), askAgainMs);
  if (source !== null && source.readyState !== EventSource.CLOSED) return;
  // Where a browser has none, asking again is enough.
  if (!('EventSource' in globalThis)) return;
  // The session's cookie goes with it.
  const opened = new EventSource(urlOf(followJobs, {}));
  source = opened;
  const read = (name: JobEvent['event']) => {
    opened.addEventListener(name, ({ data }: MessageEvent<string>) => {
      if (source === opened) applyJobs({ event: name, data: JSON.parse(data) as unknown } as JobEvent);
    });
  };
  read('snapshot');
  read('job');
  read('removed');
}

function close(): void {
  closing = undefined;
  source?.close();
  source = null;
}

function forgetAll(): void {
  clearTimeout(asking);
  clearTimeout(closing);
  close();
  waiting.clear();
  forgetJobs();
  hasForgotten = true;
}
