import type { Job, JobEvent } from '@filestead/contract/jobs';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { create } from 'zustand';

/** What this browser knows of a job besides what the server tells. */
export interface JobNote {
  /** The name of its only item; empty when it has several. */
  readonly name: string;
  /** Where a copy or a move leads. */
  readonly destination: VirtualPath | null;
}

/** When a job was first seen to have got somewhere: what its pace is measured from. */
export interface Milestone {
  /** Of this browser's clock, in Unix milliseconds. */
  readonly atMs: number;
  /** From 0 to 1. */
  readonly share: number;
}

interface JobsState {
  /** As the server told them last, the oldest first. */
  readonly jobs: readonly Job[];
  readonly milestones: ReadonlyMap<string, Milestone>;
}

const nothing: JobsState = { jobs: [], milestones: new Map() };

/** The jobs of whoever is signed in. */
export const useJobs = create<JobsState>(() => nothing);

export const isActive = ({ state }: Job): boolean => state === 'queued' || state === 'running';

/** How much of a job is done, from 0 to 1, or null while that is not known. */
export function shareOf({ bytes, entries }: Job): number | null {
  if (bytes.total !== null && bytes.total > 0) return Math.min(1, bytes.done / bytes.total);
  return entries.total === null || entries.total === 0 ? null : Math.min(1, entries.done / entries.total);
}

/** How long a job will still take at its pace so far, in seconds, or null while that cannot be said. */
export function secondsLeft(share: number | null, from: Milestone | undefined, nowMs: number): number | null {
  if (share === null || from === undefined || share <= from.share) return null;
  const elapsedMs = nowMs - from.atMs;
  // Earlier than this it would only jump about.
  if (elapsedMs < 2000) return null;
  return ((1 - share) * elapsedMs) / (share - from.share) / 1000;
}

/** Takes in what the server says. */
export function applyJobEvent({ event, data }: JobEvent, nowMs = Date.now()): void {
  const { jobs } = useJobs.getState();
  if (event === 'snapshot') {
    show(
      data.jobs.toSorted((a, b) => a.createdAt - b.createdAt),
      nowMs,
    );
  } else if (event === 'removed') {
    show(
      jobs.filter(({ id }) => id !== data.id),
      nowMs,
    );
  } else if (jobs.some(({ id }) => id === data.id)) {
    show(
      jobs.map((job) => (job.id === data.id ? data : job)),
      nowMs,
    );
  } else {
    show([...jobs, data], nowMs);
  }
}

/** Forgets everything: somebody else is signed in, or nobody. */
export function forgetJobs(): void {
  if (useJobs.getState().jobs.length > 0) useJobs.setState(nothing);
}

function show(jobs: readonly Job[], nowMs: number): void {
  const known = useJobs.getState().milestones;
  const milestones = new Map<string, Milestone>();
  for (const job of jobs) {
    const share = isActive(job) ? shareOf(job) : null;
    if (share !== null) milestones.set(job.id, known.get(job.id) ?? { atMs: nowMs, share });
  }
  useJobs.setState({ jobs, milestones });
}

const notesKey = 'filestead.jobs';
/** Notes of jobs that the server has long forgotten need not be kept. */
const maxNotes = 50;

function readNotes(): Record<string, JobNote> {
  try {
    return JSON.parse(sessionStorage.getItem(notesKey) ?? '{}') as Record<string, JobNote>;
  } catch {
    return {};
  }
}

/** Keeps a note of a job for as long as the tab lives, also over a reload. */
export function keepNote(id: string, note: JobNote): void {
  try {
    const notes = Object.entries({ ...readNotes(), [id]: note }).slice(-maxNotes);
    sessionStorage.setItem(notesKey, JSON.stringify(Object.fromEntries(notes)));
  } catch {
    // Storage is forbidden or full: the job is only described less well after a reload.
  }
}

/** What is known of a job that this tab began. */
export const noteOf = (id: string): JobNote | null => readNotes()[id] ?? null;
