import { listDuplicates, type DuplicatesResult } from '@filestead/contract/endpoints/duplicates';
import type { Job } from '@filestead/contract/jobs';
import { defaultDuplicateGroups, maxDuplicateGroups } from '@filestead/contract/values/limits';
import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useCallback, useEffect, useState } from 'react';
import { isAbort, isApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { onFilesChange } from '../../features/files/entries/changes.ts';
import { isActive, useJobs } from '../../features/files/jobs/job-store.ts';
import { forgetJob, watchJobs } from '../../features/files/jobs/follow-jobs.ts';
import { beginJob } from '../../features/files/jobs/run-job.ts';

/** The interval at which groups are requested during a search, in ms. */
const whileRunningMs = 2000;
/** The delay before the groups are requested again after a change, in ms. */
const afterChangeMs = 500;

/** The latest search for duplicates in a folder. */
export interface Duplicates {
  /** `unknown` until the jobs of the user are known; null without a search. */
  readonly job: Job | null | 'unknown';
  readonly result: DuplicatesResult | null;
  readonly error: unknown;
  /** Whether more groups than now can be requested. */
  readonly canShowMore: boolean;
  showMore(): void;
  /** Starts a search, which replaces the last one. Throws `ApiError`. */
  start(): Promise<void>;
  /** Stops the search. */
  stop(): void;
  /** Loads the groups again. Resolves to null if that fails. */
  reload(): Promise<DuplicatesResult | null>;
}

interface Loaded {
  readonly id: string;
  readonly result: DuplicatesResult | null;
  readonly error: unknown;
}

/** Finds the latest search for duplicates in a folder, and follows its result. */
export function useDuplicates(path: VirtualPath): Duplicates {
  const [isKnown, setKnown] = useState(false);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [limit, setLimit] = useState(defaultDuplicateGroups);
  const job = useJobs(({ jobs }) =>
    jobs.findLast((each) => each.kind === 'duplicates' && each.folder === path),
  );
  useEffect(() => {
    void watchJobs().then(() => setKnown(true));
  }, []);

  const id = job?.id ?? null;
  const isRunning = job !== undefined && isActive(job);
  const load = useCallback(
    async (signal?: AbortSignal): Promise<DuplicatesResult | null> => {
      if (id === null) return null;
      try {
        const query = { limit: String(limit) };
        const result = await call(listDuplicates, { params: { id }, query, ...(signal && { signal }) });
        setLoaded({ id, result, error: null });
        return result;
      } catch (error) {
        // The job was removed in another tab, which an event reports.
        if (!isAbort(error) && !isApiError(error, 'not_found')) setLoaded({ id, result: null, error });
        return null;
      }
    },
    [id, limit],
  );
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = async (): Promise<void> => {
      await load(controller.signal);
      if (isRunning && !controller.signal.aborted) timer = setTimeout(() => void follow(), whileRunningMs);
    };
    void follow();
    const stopListening = onFilesChange(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void follow(), afterChangeMs);
    });
    return () => {
      controller.abort();
      clearTimeout(timer);
      stopListening();
    };
  }, [load, isRunning]);

  const current = loaded?.id === id ? loaded : null;
  return {
    job: job ?? (isKnown ? null : 'unknown'),
    result: current?.result ?? null,
    error: current?.error ?? null,
    canShowMore: limit < maxDuplicateGroups,
    showMore: () => setLimit((last) => Math.min(maxDuplicateGroups, last + defaultDuplicateGroups)),
    async start() {
      if (id !== null) await forgetJob(id);
      await beginJob(
        { kind: 'duplicates', items: [{ from: path }] },
        { name: nameOf(path), destination: null },
      );
    },
    stop: () => void (id !== null && forgetJob(id)),
    reload: () => load(),
  };
}
