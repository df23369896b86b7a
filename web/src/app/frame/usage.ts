import { getUsage, type Usage } from '@filestead/contract/files';
import { rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useState } from 'react';
import { call, isAbort, isApiError } from '../../api/call.ts';
import { onFilesChange } from '../../features/files/entries/changes.ts';
import { transferFailureReason } from '../../features/files/feedback/failure.ts';
import { uploadCode } from '../files/upload-code.ts';
import { i18n } from '../../i18n/i18n.ts';
import { closeToast, showToast } from '../../ui/feedback/toast.ts';

/** Changes come in bursts, such as the files of one upload: the usage is measured when they have ended. */
const delayMs = 1000;

/** From these fractions on the bar shows a warning. */
const fullThreshold = 0.95;
const nearlyFullThreshold = 0.8;

/**
 * Returns the usage of the file system that contains `path`; null until it is known. Measures again after files have
 * changed or been uploaded; the last result is shown meanwhile.
 */
export function useUsage(path: VirtualPath): Usage | null {
  const [usage, setUsage] = useState<Usage | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** The id of the last failure notice. */
    let failure = 0;
    const measure = async () => {
      const { signal } = stop;
      try {
        // A folder that does not exist or is not visible has no usage.
        setUsage(
          await call(getUsage, { path, signal }).catch(() => call(getUsage, { path: rootPath, signal })),
        );
        closeToast(failure);
      } catch (error) {
        if (!isAbort(error) && !signal.aborted) failure = showFailure(error, () => void measure());
      }
    };

    const measureSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void measure(), delayMs);
    };
    void measure();
    const stopWatching = [
      onFilesChange(measureSoon),
      uploadCode.whenLoaded(({ uploadQueue }) => uploadQueue.onFinished(measureSoon)),
    ];
    return () => {
      stop.abort();
      clearTimeout(timer);
      for (const stopWatch of stopWatching) stopWatch();
    };
  }, [path]);
  return usage;
}

/**
 * Shows a notice that the space could not be measured and returns its id. A session that has ended has a notice of its
 * own, and so have an account without files and a folder that cannot be loaded without a connection.
 */
function showFailure(error: unknown, retry: () => void): number {
  if (isApiError(error, 'not_signed_in', 'scope_not_granted', 'no_connection')) return 0;
  const message = `${i18n.t('frame.usageFailed', { ns: 'app' })} ${transferFailureReason(error)}`;
  const action = { label: i18n.t('retry', { ns: 'common' }), onAction: retry };
  return showToast({ tone: 'error', message, action });
}

/** Returns the used fraction, from 0 to 1. A file system without a size is never full. */
export const usedFraction = ({ used, total }: Usage): number =>
  total > 0 ? Math.min(1, Math.max(0, used / total)) : 0;

export function toneOfFraction(fraction: number): 'accent' | 'warning' | 'danger' {
  if (fraction >= fullThreshold) return 'danger';
  return fraction >= nearlyFullThreshold ? 'warning' : 'accent';
}
