import {
  createShare,
  listSharesOfPath,
  type Share,
  updateShare,
  type ShareUpdate,
} from '@filestead/contract/shares';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, jsonOf, send } from '../../../api/call.ts';
import { reportOperation } from '../../../api/operation-header.ts';
import { shareUrl } from '../../../api/public-share.ts';
import { copyAddress } from '../../../ui/copy-address.ts';
import { copyText } from '../../../ui/copy-text.ts';
import { announceShareChange } from '../share-changes.ts';
import { compareByExpiry, initialDuration, isEndless } from '../share-duration.ts';
import type { ShareTarget } from '../share-target.ts';
import type { ShareHost } from '../share-host.ts';
import { shareFailureText } from '../share-texts.ts';
import { useShares, type ShareListState } from '../use-shares.ts';

/** The result of the last change. */
export type SaveState =
  | { readonly kind: 'none' | 'saving' | 'saved' }
  | { readonly kind: 'failed'; readonly text: string };

/** The shares of one file or folder, and the changes that are saved at once. */
export interface TargetShares {
  readonly list: ShareListState;
  /** The share whose options are shown; null while there is none. */
  readonly current: Share | null;
  readonly others: readonly Share[];
  /** The hash of the share whose address is in the clipboard. */
  readonly copied: string | null;
  readonly isCreating: boolean;
  readonly saving: SaveState;
  readonly retry: () => void;
  readonly create: () => Promise<void>;
  readonly show: (share: Share) => void;
  /** Copies the address of a share. Returns false if the browser does not allow it. */
  readonly copy: (share: Share) => Promise<boolean>;
  /** Saves options of the current share. Returns whether they were saved. */
  readonly save: (options: ShareUpdate) => Promise<boolean>;
  readonly forget: (share: Share) => void;
}

/** Loads the shares of `target`. If there are none, creates one and copies its address. */
export function useTargetShares(
  { path, isFolder }: ShareTarget,
  host: ShareHost,
  shownHash: string | null = null,
): TargetShares {
  const fetchShares = useCallback(
    (signal: AbortSignal) => call(listSharesOfPath, { path, isFolder, signal }),
    [path, isFolder],
  );
  const { list, change, replace, forget, retry } = useShares(fetchShares, host);
  const [shown, setShown] = useState<string | null>(shownHash);
  const [copied, setCopied] = useState<string | null>(null);
  const [isCreating, setCreating] = useState(false);
  const [saving, setSaving] = useState<SaveState>({ kind: 'none' });

  const create = useCallback(async () => {
    setCreating(true);
    setSaving({ kind: 'none' });
    try {
      const duration = initialDuration();
      const share = await call(createShare, {
        path,
        isFolder,
        body: isEndless(duration) ? {} : { expires: duration.amount, unit: duration.unit },
      });
      change((before) => [share, ...before.filter(({ hash }) => hash !== share.hash)]);
      setShown(share.hash);
      announceShareChange();
      if (await copyText(shareUrl(share.hash))) setCopied(share.hash);
    } catch (error) {
      setSaving({ kind: 'failed', text: shareFailureText(error) });
    } finally {
      setCreating(false);
    }
  }, [change, isFolder, path]);

  const isStarted = useRef(false);
  const isEmpty = list.kind === 'shown' && list.shares.length === 0;
  useEffect(() => {
    if (!isEmpty || isStarted.current) return;
    // Only once: no share is created after the last one was deleted.
    isStarted.current = true;
    void create();
  }, [create, isEmpty]);
  const hasShares = list.kind === 'shown' && list.shares.length > 0;
  useEffect(() => {
    if (hasShares) isStarted.current = true;
  }, [hasShares]);

  const shares = list.kind === 'shown' ? list.shares.toSorted(compareByExpiry) : [];
  const current = shares.find(({ hash }) => hash === shown) ?? shares[0] ?? null;
  return {
    list,
    current,
    others: shares.filter((share) => share !== current),
    copied,
    isCreating,
    saving,
    retry,
    create,
    show: ({ hash }) => {
      setShown(hash);
      setSaving({ kind: 'none' });
    },
    copy: async ({ hash }) => {
      // The button of the shown share reports the result itself.
      const isReportedByButton = hash === current?.hash && (await copyText(shareUrl(hash)));
      const isCopied = isReportedByButton || (await copyAddress(shareUrl(hash)));
      setCopied(isCopied ? hash : null);
      return isCopied;
    },
    save: async (options) => {
      if (current === null) return false;
      setSaving({ kind: 'saving' });
      try {
        const response = await send(updateShare, { params: { hash: current.hash }, body: options });
        const updated = (await jsonOf(response)) as Share;
        reportOperation(response, host.addOperation);
        // The response about the share of another user does not contain their name.
        replace(updated);
        setShown(current.hash);
        setSaving({ kind: 'saved' });
        return true;
      } catch (error) {
        setSaving({ kind: 'failed', text: shareFailureText(error) });
        return false;
      }
    },
    forget: (share) => {
      forget(share);
      setSaving({ kind: 'none' });
    },
  };
}
