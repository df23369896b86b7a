import { parentOf, virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { runJobs } from '../jobs/run-job.ts';
import { runMany, type ManyOutcome } from '../entries/run-many.ts';
import { runTask } from '../feedback/tasks.ts';
import { needsJob } from './needs-job.ts';
import type { TransferKind, TransferStep } from './plan-transfer.ts';
import { sendStep } from './send-step.ts';

/**
 * Moves or copies entries: a few files with one request each, anything more with a job. Longer work shows its
 * progress. `onOperation` is called with the id of each operation of the server. Failures of single steps are part of the result;
 * throws `ApiError` and `RefusedError` of `runJobs`.
 */
export async function performSteps(
  kind: TransferKind,
  steps: readonly TransferStep[],
  onOperation?: (id: string) => void,
): Promise<ManyOutcome<TransferStep, VirtualPath>> {
  const [first] = steps;
  if (!first) return { done: [], failed: [], unprocessed: [] };
  const entries = steps.map(({ entry }) => entry);
  if (!needsJob(kind, entries)) {
    return runTask(kind === 'move' ? 'moving' : 'copying', steps.length, (signal, onProgress) =>
      runMany({ items: steps, run: (step) => sendStep(kind, step, onOperation), signal, onProgress }),
    );
  }
  const { done, ...rest } = await runJobs({
    kind,
    items: steps,
    itemOf: ({ entry, to, mode }) => ({
      from: entry.path,
      to,
      ...(mode === 'overwrite' && { overwrite: true }),
      ...(mode === 'keep_both' && { rename: true }),
    }),
    onOperation,
    note: { name: steps.length === 1 ? first.entry.name : '', destination: parentOf(first.to) },
  });
  return { ...rest, done: done.map(({ item, result }) => ({ item, result: virtualPath(result) })) };
}
