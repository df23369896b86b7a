import { cancelJob, getJob, listJobs, type Job, type JobEvent } from '@filestead/contract/jobs';
import { call, isApiError } from '../../../api/call.ts';
import { currentToken, subscribeToToken } from '../../../api/token-store.ts';
import { applyJobEvent, forgetJobs, isActive, useJobs } from './job-store.ts';

/** The time for which the connection is kept after the last job ended, in ms; often another one follows at once. */
const closeDelayMs = 5000;
/**
 * The interval at which jobs are also requested, in ms, in case a proxy buffers the events. It is short after a job has begun, and
 * doubles with each request.
 */
const firstPollMs = 1000;
const maxPollMs = 10_000;

type Listener = (job: Job | null) => void;

/** The listeners for the end of each job; called with null when the server has forgotten it. */
const listenersById = new Map<string, Set<Listener>>();
/** Stops the events; null while they are not followed. */
let stopFollowing: (() => void) | null = null;
let closeTimer: ReturnType<typeof setTimeout> | undefined;
let pollTimer: ReturnType<typeof setTimeout> | undefined;
let pollMs = firstPollMs;
let isWatching = false;
/** Whether a session has ended; the next session on this page may have other jobs. */
let wasSignedOut = false;

const isNeeded = (): boolean => listenersById.size > 0 || useJobs.getState().jobs.some(isActive);

/**
 * Loads the jobs of the signed-in user, and follows them while one is active, over the connection that all tabs of a browser share.
 * If the request fails, the known jobs remain.
 */
export async function watchJobs(): Promise<void> {
  if (!isWatching) {
    isWatching = true;
    subscribeToToken(() => {
      if (currentToken() === null) reset();
      else if (wasSignedOut) {
        wasSignedOut = false;
        void watchJobs();
      }
    });
  }
  if (currentToken() === null) return;
  try {
    applyJobs({ event: 'snapshot', data: { jobs: await call(listJobs) } });
  } catch {
    // The jobs are requested again later.
    follow();
  }
}

/** Calls `listener` once when the job has ended or is forgotten. */
export function whenEnded(id: string, listener: Listener): void {
  const listeners = listenersById.get(id) ?? new Set();
  listeners.add(listener);
  listenersById.set(id, listeners);
  pollMs = firstPollMs;
  follow();
}

/** Adds the job that a request has just created. An event for it may have arrived first, and is newer. */
export function addJob(job: Job): void {
  const followed = useJobs.getState().jobs.find(({ id }) => id === job.id);
  applyJobs({ event: 'job', data: followed ?? job });
}

/** Applies a response or an event, and follows active jobs. */
export function applyJobs(event: JobEvent): void {
  applyJobEvent(event);
  notifyListeners(event);
  follow();
}

function notifyListeners({ event, data }: JobEvent): void {
  if (event === 'removed') notify(data.id, null);
  else if (event === 'job') notifyIfEnded(data);
  else {
    for (const job of data.jobs) notifyIfEnded(job);
    for (const id of listenersById.keys()) if (!data.jobs.some((job) => job.id === id)) void checkMissing(id);
  }
}

/**
 * Checks a job that is missing in a snapshot. The snapshot may be older than the job, so only a response of the
 * server proves that it is forgotten.
 */
async function checkMissing(id: string): Promise<void> {
  try {
    notifyIfEnded(await call(getJob, { params: { id } }));
  } catch (error) {
    if (isApiError(error, 'not_found')) notify(id, null);
  }
}

function notifyIfEnded(job: Job): void {
  if (!isActive(job)) notify(job.id, job);
}

function notify(id: string, job: Job | null): void {
  const listeners = listenersById.get(id);
  listenersById.delete(id);
  for (const listener of listeners ?? []) listener(job);
}

function follow(): void {
  clearTimeout(pollTimer);
  if (!isNeeded()) {
    closeTimer ??= setTimeout(close, closeDelayMs);
    return;
  }
  clearTimeout(closeTimer);
  closeTimer = undefined;
  pollTimer = setTimeout(() => {
    pollMs = Math.min(maxPollMs, pollMs * 2);
    void watchJobs();
  }, pollMs);
  if (stopFollowing !== null) return;
  const following = new AbortController();
  stopFollowing = () => following.abort();
  void followEvents(following.signal);
}

/** Follows the events until `signal` is aborted. Until the code is loaded, the jobs are polled. */
async function followEvents(signal: AbortSignal): Promise<void> {
  const { followJobEvents } = await import('../../../api/live/live-client.ts').catch(() => ({
    followJobEvents: null,
  }));
  if (followJobEvents === null || signal.aborted) return;
  signal.addEventListener('abort', followJobEvents(applyJobs), { once: true });
}

function close(): void {
  closeTimer = undefined;
  stopFollowing?.();
  stopFollowing = null;
}

function reset(): void {
  clearTimeout(pollTimer);
  clearTimeout(closeTimer);
  close();
  listenersById.clear();
  forgetJobs();
  wasSignedOut = true;
}

/** Stops a job, or removes one that has ended. Does nothing for a job that is already forgotten. Throws nothing. */
export async function forgetJob(id: string): Promise<void> {
  await call(cancelJob, { params: { id } }).catch(() => undefined);
  const job = useJobs.getState().jobs.find((candidate) => candidate.id === id);
  // Events may no longer be followed. A job that was active is reported once it has stopped.
  if (job && !isActive(job)) applyJobs({ event: 'removed', data: { id } });
}
