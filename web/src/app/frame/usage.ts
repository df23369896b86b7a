import { getUsage, type Usage } from '@filestead/contract/files';
import { rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useState } from 'react';
import { call, isAbort, isApiError } from '../../api/call.ts';
import { onFilesChange } from '../../features/files/entries/changes.ts';
import { transferFailureReason } from '../../features/files/feedback/failure.ts';
import { uploadQueue } from '../../features/uploads/queue/page-queue.ts';
import { i18n } from '../../i18n/i18n.ts';
import { closeToast, showToast } from '../../ui/feedback/toast.ts';

/** Changes come in bursts, such as the files of one upload: they are counted once they are over. */
const settleMs = 1000;

/** From these shares on the bar warns (design, Grid and frame). */
const fullFrom = 0.95;
const nearlyFullFrom = 0.8;

/**
 * How much of the file system below `path` is used; null until it is known. Measured again when files have changed or
 * arrived; the last answer stays meanwhile.
 */
export function useUsage(path: VirtualPath): Usage | null {
  const [usage, setUsage] = useState<Usage | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** The notice of the last failure. */
    let failure = 0;
    const measure = async () => {
      const { signal } = stop;
      try {
        // What is not there, or not to be seen, has no file system of its own.
        setUsage(
          await call(getUsage, { path, signal }).catch(() => call(getUsage, { path: rootPath, signal })),
        );
        closeToast(failure);
      } catch (error) {
        if (!isAbort(error) && !signal.aborted) failure = tellFailure(error, () => void measure());
      }
    };

    const measureSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void measure(), settleMs);
    };
    void measure();
    const stopWatching = [onFilesChange(measureSoon), uploadQueue.onFinished(measureSoon)];
    return () => {
      stop.abort();
      clearTimeout(timer);
      for (const stopWatch of stopWatching) stopWatch();
    };
  }, [path]);
  return usage;
}

/**
 * Says that the space could not be measured. Returns the notice's id. A session that has ended says so itself, and so does
 * an account without files.
 */
function tellFailure(error: unknown, retry: () => void): number {
  if (isApiError(error, 'not_signed_in', 'scope_not_granted')) return 0;
  const message = `${i18n.t('frame.usageFailed', { ns: 'app' })} ${transferFailureReason(error)}`;
  const action = { label: i18n.t('retry', { ns: 'common' }), onAction: retry };
  return showToast({ tone: 'error', message, action });
}

/** The used share, from 0 to 1. A store without a size is never full. */
export const usedShare = ({ used, total }: Usage): number =>
  total > 0 ? Math.min(1, Math.max(0, used / total)) : 0;

export function toneOfShare(share: number): 'accent' | 'warning' | 'danger' {
  if (share >= fullFrom) return 'danger';
  return share >= nearlyFullFrom ? 'warning' : 'accent';
}
