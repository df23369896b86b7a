import { listShares } from '@filestead/contract/shares';
import { create } from 'zustand';
import { call } from '../../api/call.ts';
import { isExpired } from '../../api/public-share.ts';

interface OwnShares {
  /** The user to whom the shares belong; null before they have been loaded. */
  readonly userId: number | null;
  /** The number of shares in the page Shared, expired ones included. */
  readonly count: number | null;
  /** The paths of entries with shares that can be opened, without a slash at the end. */
  readonly paths: ReadonlySet<string>;
}

/** The shares of the user. */
export const useOwnShares = create<OwnShares>(() => ({ userId: null, count: null, paths: new Set() }));

/** Loads the shares of the user. */
export async function loadOwnShares(userId: number, signal: AbortSignal): Promise<void> {
  const shares = await call(listShares, { query: { own: 'true', expired: 'true' }, signal });
  const open = shares.filter((share) => !isExpired(share));
  const paths = new Set(open.map(({ path }) => path.replace(/\/$/u, '')));
  useOwnShares.setState({ userId, count: shares.length, paths });
}
