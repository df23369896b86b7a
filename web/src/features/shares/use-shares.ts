import type { Share } from '@filestead/contract/shares';
import { useCallback, useEffect, useState } from 'react';
import { removeShares } from './remove-shares.ts';
import { reopenShare } from './reopen-share.ts';
import type { ShareHost } from './share-host.ts';

/** A list of shares, and the state of fetching it. */
export type ShareListState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'shown'; readonly shares: readonly Share[] };

const loading: ShareListState = { kind: 'loading' };

/**
 * Fetches shares with `fetchShares` (stable between renders), and applies local changes afterwards. `retry` fetches them
 * again, as after an undo; the shown shares stay until it succeeds. `reopen`, `remove` and `removeAll` change shares on the server, report
 * the result, and show it.
 */
export function useShares(fetchShares: (signal: AbortSignal) => Promise<readonly Share[]>, host: ShareHost) {
  const [latest, setLatest] = useState<{
    by: typeof fetchShares;
    attempt: number;
    list: ShareListState;
  } | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const show = (list: ShareListState) => {
      if (controller.signal.aborted) return;
      setLatest((before) =>
        list.kind === 'failed' && before?.by === fetchShares && before.list.kind === 'shown'
          ? before
          : { by: fetchShares, attempt, list },
      );
    };
    fetchShares(controller.signal).then(
      (shares) => show({ kind: 'shown', shares }),
      (error: unknown) => show({ kind: 'failed', error }),
    );
    return () => controller.abort();
  }, [fetchShares, attempt]);
  const change = useCallback((next: (shares: readonly Share[]) => readonly Share[]) => {
    setLatest((before) =>
      before?.list.kind === 'shown'
        ? { ...before, list: { kind: 'shown', shares: next(before.list.shares) } }
        : before,
    );
  }, []);
  /** Shows changed fields of a share. */
  const replace = (changed: Share) =>
    change((shares) =>
      shares.map((share) => (share.hash === changed.hash ? { ...share, ...changed } : share)),
    );
  /** Shows a share no longer. */
  const forget = ({ hash }: Share) => change((shares) => shares.filter((share) => share.hash !== hash));
  const reopen = async (share: Share): Promise<Share | null> => {
    const reopened = await reopenShare(share, host);
    if (reopened !== null) replace(reopened);
    return reopened;
  };
  const removeAll = async (shares: readonly Share[]): Promise<void> => {
    const gone = new Set((await removeShares(shares, host)).map(({ hash }) => hash));
    change((before) => before.filter(({ hash }) => !gone.has(hash)));
  };
  const remove = (share: Share): Promise<void> => removeAll([share]);
  const { onUndone } = host;
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  useEffect(() => onUndone(retry), [onUndone, retry]);
  const isCurrent =
    latest?.by === fetchShares && (latest.attempt === attempt || latest.list.kind === 'shown');
  return {
    list: isCurrent ? latest.list : loading,
    change,
    replace,
    forget,
    reopen,
    remove,
    removeAll,
    retry,
  };
}
