import { useEffect, useState } from 'react';
import { diagnosePreviewFailure, type PreviewFailure } from './preview-failure.ts';

interface Attempt {
  /** Null while nothing has gone wrong. */
  breakage: PreviewFailure | null;
  /** Grows with every new try; a `key` for what tries. */
  attempt: number;
  /** To be called when the browser does not show the file. */
  onBroken: () => void;
  retry: () => void;
}

interface Failure {
  url: string;
  attempt: number;
  /** Null until it is known. */
  breakage: PreviewFailure | null;
}

/** Follows whether the browser shows the file at `url`, and why not. */
export function usePreviewFailure(url: string): Attempt {
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    if (failure === null || failure.breakage !== null) return;
    const leave = new AbortController();
    const find = async () => {
      const breakage = await diagnosePreviewFailure(failure.url, leave.signal);
      if (!leave.signal.aborted) setFailure({ ...failure, breakage });
    };
    void find();
    return () => leave.abort();
  }, [failure]);
  const isCurrent = failure?.url === url && failure.attempt === attempt;
  return {
    breakage: isCurrent ? failure.breakage : null,
    attempt,
    onBroken: () => setFailure({ url, attempt, breakage: null }),
    retry: () => setAttempt(attempt + 1),
  };
}
