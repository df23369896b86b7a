import { listShares, type Share } from '@filestead/contract/shares';
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { call } from '../../../api/call.ts';
import { useLocale } from '../../../i18n/use-locale.ts';
import { isExpired, shareUrl } from '../../../api/public-share.ts';
import { copyLinks } from '../copy-links.ts';
import type { ShareHost } from '../share-host.ts';
import { useShares } from '../use-shares.ts';
import { isSoon } from './share-expiry.ts';
import { sortShares, useShareOrder } from './share-order.ts';

export type ShareFilter = 'soon' | 'password';

/** The state of the page of the user's own shares: the list, what is shown of it, and the selection. */
export type OwnSharesState = ReturnType<typeof useOwnSharesPage>;

/** Returns the state of the page of the user's own shares whose path contains `query`. */
export function useOwnSharesPage(query: string, host: ShareHost) {
  const fetchShares = useCallback(
    (signal: AbortSignal) =>
      call(listShares, { query: { own: 'true', expired: 'true', entries: 'true' }, signal }),
    [],
  );
  const { list, reopen, removeAll, retry } = useShares(fetchShares, host);
  const [filters, setFilters] = useState<readonly ShareFilter[]>([]);
  const order = useShareOrder();
  const { languageTag } = useLocale();
  const shares = useMemo(
    () => (list.kind === 'shown' ? sortShares(list.shares, order, languageTag) : []),
    [list, order, languageTag],
  );
  const needle = useDeferredValue(query).trim().toLocaleLowerCase();
  const matching = shares.filter(
    (share) =>
      share.path.toLocaleLowerCase().includes(needle) && filters.every((filter) => passes(share, filter)),
  );
  const active = matching.filter((share) => !isExpired(share));
  const expired = matching.filter((share) => isExpired(share));
  const shown = [...active, ...expired];
  const selection = useSelection(shown);
  const { selected, clear } = selection;
  /** The share that gets the focus when the element with the focus is gone. */
  const next = useRef<string | null>(null);
  const deleteShares = async (removed: readonly Share[]): Promise<void> => {
    const gone = new Set(removed.map(({ hash }) => hash));
    const last = shown.findLastIndex(({ hash }) => gone.has(hash));
    const stays = ({ hash }: Share): boolean => !gone.has(hash);
    next.current = (shown.slice(last).find(stays) ?? shown.findLast(stays))?.hash ?? null;
    await removeAll(removed);
  };
  return {
    host,
    list,
    shares,
    active,
    expired,
    filters,
    toggleFilter: (filter: ShareFilter) =>
      setFilters(
        filters.includes(filter) ? filters.filter((other) => other !== filter) : [...filters, filter],
      ),
    reopen,
    remove: (share: Share) => deleteShares([share]),
    retry,
    ...selection,
    /** Copies the addresses of the selected shares that visitors can open, one per line. */
    copySelected: () =>
      void copyLinks(selected.filter((share) => !isExpired(share)).map(({ hash }) => shareUrl(hash))),
    /** Deletes the selected shares without asking; the notice undoes all of it. */
    removeSelected: async (): Promise<void> => {
      clear();
      await deleteShares(selected);
    },
    /** Returns a lost focus to the row of `share`. */
    keepFocus: (share: Share): void => {
      next.current = share.hash;
    },
    /** Focuses the share after those that were deleted last, or the one that keeps the focus. Returns whether there is one. */
    focusNext: (): boolean => {
      const row = document.querySelector(`[data-share="${CSS.escape(next.current ?? '')}"]`);
      const control = row?.querySelector<HTMLElement>('input, a');
      control?.focus();
      return control !== undefined && control !== null;
    },
  };
}

const passes = (share: Share, filter: ShareFilter): boolean =>
  filter === 'soon' ? isSoon(share) : share.hasPassword;

/** The selected ones of the shown shares, in their order. */
function useSelection(shown: readonly Share[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  /** The start of a range that Shift selects. */
  const anchor = useRef<string | null>(null);
  const selected = shown.filter(({ hash }) => chosen.has(hash));
  const toggle = ({ hash }: Share, isSelected: boolean, isRange = false): void => {
    const next = new Set(selected.map((share) => share.hash));
    const from = isRange ? shown.findIndex((share) => share.hash === anchor.current) : -1;
    const to = shown.findIndex((share) => share.hash === hash);
    const range = from === -1 ? [to] : [Math.min(from, to), Math.max(from, to)];
    for (const share of shown.slice(range[0], (range.at(-1) ?? 0) + 1)) {
      if (isSelected) next.add(share.hash);
      else next.delete(share.hash);
    }
    anchor.current = hash;
    setChosen(next);
  };
  return {
    selected,
    isSelected: ({ hash }: Share): boolean => chosen.has(hash),
    toggle,
    selectAll: (): void => setChosen(new Set(shown.map(({ hash }) => hash))),
    clear: (): void => setChosen(new Set()),
  };
}
