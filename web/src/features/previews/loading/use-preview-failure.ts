import { useEffect, useState } from 'react';
import { diagnosePreviewFailure, type PreviewFailure } from './preview-failure.ts';

interface Attempt {
  /** Null while nothing has failed. */
  breakage: PreviewFailure | null;
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
  breakage: PreviewFailure | null;
}

/** Tracks whether the browser shows the file at `url`, and determines the reason when it does not. */
export function usePreviewFailure(url: string): Attempt {
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    if (failure === null || failure.breakage !== null) return;
    const controller = new AbortController();
    const diagnose = async () => {
      const breakage = await diagnosePreviewFailure(failure.url, controller.signal);
      if (!controller.signal.aborted) setFailure({ ...failure, breakage });
    };
    void diagnose();
    return () => controller.abort();
  }, [failure]);
  const isCurrent = failure?.url === url && failure.attempt === attempt;
  return {
    breakage: isCurrent ? failure.breakage : null,
    attempt,
    onBroken: () => setFailure({ url, attempt, breakage: null }),
    retry: () => setAttempt(attempt + 1),
  };
}
