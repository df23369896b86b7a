import type { Job, JobEvent } from '@filestead/contract/jobs';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { create } from 'zustand';
import { applyToJobs } from '../../../api/live/apply-to-jobs.ts';
import { storedJson, storeJson } from '../../../ui/browser-storage.ts';

/** Data of a job that only this browser has. */
export interface JobNote {
  /** The name of its only item; empty for several items. */
  readonly name: string;
  /** The destination of a copy or move. */
  readonly destination: VirtualPath | null;
}

/** The first observed progress of a job, from which its pace is measured. */
export interface Milestone {
  /** By this browser's clock, in Unix milliseconds. */
  readonly atMs: number;
  /** The progress, from 0 to 1. */
  readonly fraction: number;
}

interface JobsState {
  /** The jobs as last reported by the server, the oldest first. */
  readonly jobs: readonly Job[];
  readonly milestones: ReadonlyMap<string, Milestone>;
}

const noJobs: JobsState = { jobs: [], milestones: new Map() };

/** The jobs of the signed-in user. */
export const useJobs = create<JobsState>(() => noJobs);

export const isActive = ({ state }: Job): boolean => state === 'queued' || state === 'running';

/** Whether a job is copying the first of the entries that it moves to another file system. Their sizes are not known. */
const isCopyingFirst = ({ kind, bytes, entries }: Job): boolean =>
  kind === 'move' && entries.done === 0 && bytes.done > 0;

/** Returns the progress of a job, from 0 to 1, or null while it is unknown. */
export function progressOf(job: Job): number | null {
  const { bytes, entries } = job;
  if (isCopyingFirst(job)) return null;
  if (bytes.total !== null && bytes.total > 0) return Math.min(1, bytes.done / bytes.total);
  return entries.total === null || entries.total === 0 ? null : Math.min(1, entries.done / entries.total);
}

/** Estimates the remaining time of a job from its pace so far, in seconds, or null while that is not possible. */
export function remainingSeconds(
  fraction: number | null,
  from: Milestone | undefined,
  nowMs: number,
): number | null {
  if (fraction === null || from === undefined || fraction <= from.fraction) return null;
  const elapsedMs = nowMs - from.atMs;
  // An earlier estimate would vary too much.
  if (elapsedMs < 2000) return null;
  return ((1 - fraction) * elapsedMs) / (fraction - from.fraction) / 1000;
}

/** Applies an event of the server. */
export function applyJobEvent(event: JobEvent, nowMs = Date.now()): void {
  const { jobs, milestones: previous } = useJobs.getState();
  const milestones = new Map<string, Milestone>();
  const changed = applyToJobs(jobs, event);
  for (const job of changed) {
    const fraction = isActive(job) ? progressOf(job) : null;
    if (fraction !== null) milestones.set(job.id, previous.get(job.id) ?? { atMs: nowMs, fraction });
  }
  useJobs.setState({ jobs: changed, milestones });
}

/** Removes all jobs after the user has signed out or changed. */
export function forgetJobs(): void {
  if (useJobs.getState().jobs.length > 0) useJobs.setState(noJobs);
}

const notesKey = 'filestead.jobs';
/** Maximum number of notes; the server has forgotten older jobs. */
const maxNotes = 50;

const readNotes = (): Record<string, JobNote> =>
  (storedJson(notesKey, 'tab') ?? {}) as Record<string, JobNote>;

/** Saves a note of a job for the life of the tab, including reloads. */
export function saveNote(id: string, note: JobNote): void {
  const notes = Object.entries({ ...readNotes(), [id]: note }).slice(-maxNotes);
  storeJson(notesKey, Object.fromEntries(notes), 'tab');
}

/** Returns the note of a job that this tab started. */
export const findNote = (id: string): JobNote | null => readNotes()[id] ?? null;
