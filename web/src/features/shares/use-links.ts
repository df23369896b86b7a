import type { Share } from '@filestead/contract/shares';
import { useCallback, useEffect, useState } from 'react';

/** The shares that are shown, and the state of fetching them. */
export type Links =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'shown'; readonly shares: readonly Share[] };

const loading: Links = { kind: 'loading' };

/** Fetches shares by `fetchLinks` (stable between renders), and applies local changes afterwards. */
export function useLinks(fetchLinks: (signal: AbortSignal) => Promise<readonly Share[]>) {
  const [known, setKnown] = useState<{ by: typeof fetchLinks; attempt: number; links: Links } | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const leave = new AbortController();
    const show = (links: Links) => {
      if (!leave.signal.aborted) setKnown({ by: fetchLinks, attempt, links });
    };
    fetchLinks(leave.signal).then(
      (shares) => show({ kind: 'shown', shares }),
      (error: unknown) => show({ kind: 'failed', error }),
    );
    return () => leave.abort();
  }, [fetchLinks, attempt]);
  const change = useCallback((next: (shares: readonly Share[]) => readonly Share[]) => {
    setKnown((before) =>
      before?.links.kind === 'shown'
        ? { ...before, links: { kind: 'shown', shares: next(before.links.shares) } }
        : before,
    );
  }, []);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  const isCurrent = known?.by === fetchLinks && known.attempt === attempt;
  return { links: isCurrent ? known.links : loading, change, retry };
}
