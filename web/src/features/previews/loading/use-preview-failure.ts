import { useEffect, useState } from 'react';
import { diagnosePreviewFailure, type PreviewFailure } from './preview-failure.ts';

interface Attempt {
  /** Null while nothing has failed. */
  failure: PreviewFailure | null;
  /** The number of retries; a `key` for the element that loads the file. */
  attempt: number;
  /** To be called when the browser cannot show the file. */
  onBroken: () => void;
  retry: () => void;
}

interface Failure {
  url: string;
  attempt: number;
  /** Null until the reason is determined. */
  reason: PreviewFailure | null;
}

/** Tracks whether the browser shows the file at `url`, and determines the reason when it does not. */
export function usePreviewFailure(url: string): Attempt {
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    if (failure === null || failure.reason !== null) return;
    const controller = new AbortController();
    const diagnose = async () => {
      const reason = await diagnosePreviewFailure(failure.url, controller.signal);
      if (!controller.signal.aborted) setFailure({ ...failure, reason });
    };
    void diagnose();
    return () => controller.abort();
  }, [failure]);
  const isCurrent = failure?.url === url && failure.attempt === attempt;
  return {
    failure: isCurrent ? failure.reason : null,
    attempt,
    onBroken: () => setFailure({ url, attempt, reason: null }),
    retry: () => setAttempt(attempt + 1),
  };
}
