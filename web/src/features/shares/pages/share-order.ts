import type { Share } from '@filestead/contract/shares';
import { nameOf, parsePath } from '@filestead/contract/paths/virtual-path';
import { create } from 'zustand';
import { storedJson, storeJson } from '../../../ui/browser-storage.ts';
import { nameOfEntry } from '../share-texts.ts';

/** The columns of the user's own shares that sort the list. */
export const shareSortKeys = ['name', 'visits', 'expires', 'created'] as const;
export type ShareSortKey = (typeof shareSortKeys)[number];

export interface ShareOrder {
  readonly by: ShareSortKey;
  readonly isDescending: boolean;
}

const defaultOrder: ShareOrder = { by: 'created', isDescending: true };
const storageKey = 'filestead.shared-order';

function readStored(): ShareOrder {
  const { by, isDescending } = (storedJson(storageKey) ?? {}) as Partial<ShareOrder>;
  const key = shareSortKeys.find((candidate) => candidate === by);
  return key === undefined ? defaultOrder : { by: key, isDescending: isDescending === true };
}

/** The order of the user's own shares; remembered in this browser. */
export const useShareOrder = create<ShareOrder>(readStored);

/** Sorts the list in another order, and remembers it. */
export function chooseShareOrder({ by, isDescending }: ShareOrder): void {
  useShareOrder.setState({ by, isDescending });
  storeJson(storageKey, { by, isDescending });
}

/** Returns the order with which sorting by a column begins: the most visited, and the newest first. */
export const usualOrder = (by: ShareSortKey): ShareOrder => ({
  by,
  isDescending: by === 'visits' || by === 'created',
});

/** Returns the order after a press on a column: the other direction, or the usual one of another column. */
export const orderAfterPress = (old: ShareOrder, by: ShareSortKey): ShareOrder =>
  old.by === by ? { by, isDescending: !old.isDescending } : usualOrder(by);

/** Returns the shares in an order; equal ones the newest first. Shares without an expiry expire after all others. */
export function sortShares(
  shares: readonly Share[],
  { by, isDescending }: ShareOrder,
  languageTag: string,
): Share[] {
  const { compare } = new Intl.Collator(languageTag, { numeric: true });
  const sign = isDescending ? -1 : 1;
  const newestFirst = (one: Share, other: Share): number => other.created - one.created;
  if (by === 'name') {
    const named = shares.map((share) => ({
      share,
      name: nameOfEntry({ name: nameOf(parsePath(share.path).path) }),
    }));
    named.sort((one, other) => sign * compare(one.name, other.name) || newestFirst(one.share, other.share));
    return named.map(({ share }) => share);
  }
  const valueOf = ({ visits, expire, created }: Share): number =>
    by === 'visits' ? visits : by === 'created' ? created : expire === 0 ? Number.MAX_VALUE : expire;
  return shares.toSorted((one, other) => sign * (valueOf(one) - valueOf(other)) || newestFirst(one, other));
}
