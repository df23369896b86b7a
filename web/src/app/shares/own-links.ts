import { listShares } from '@filestead/contract/shares';
import { create } from 'zustand';
import { call } from '../../api/call.ts';
import { isExpired } from '../../ui/share-links.ts';

interface OwnLinks {
  /** The user to whom the links belong; null before they have been loaded. */
  readonly userId: number | null;
  /** The number of links in the page Shared, expired ones included. */
  readonly count: number | null;
  /** The paths of entries with links that can be opened, without a slash at the end. */
  readonly paths: ReadonlySet<string>;
}

/** The links of the user. */
export const useOwnLinks = create<OwnLinks>(() => ({ userId: null, count: null, paths: new Set() }));

/** Loads the links of the user. */
export async function loadOwnLinks(userId: number, signal: AbortSignal): Promise<void> {
  const shares = await call(listShares, { query: { own: 'true', expired: 'true' }, signal });
  const open = shares.filter((share) => !isExpired(share));
  const paths = new Set(open.map(({ path }) => path.replace(/\/$/u, '')));
  useOwnLinks.setState({ userId, count: shares.length, paths });
}
