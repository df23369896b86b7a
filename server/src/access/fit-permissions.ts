import type { Permissions } from '@filestead/contract/permissions';
import { AppError } from '../http/app-error.ts';

type SharePermissions = Pick<Permissions, 'share' | 'download'>;

/** Whether links can be made that nobody could open: their visitors get what their owner may download. */
const sharesInVain = ({ share, download }: SharePermissions): boolean => share && !download;

/**
 * Throws `bad_request` for permissions that contradict each other: `share` needs `download`. Those that are stored already
 * (`former`) may stay, so that a client that sends the whole record back changes what it means to change.
 */
export function requireFitPermissions(perm: SharePermissions, former?: SharePermissions): void {
  if (!sharesInVain(perm) || (former !== undefined && sharesInVain(former))) return;
  throw new AppError('bad_request', 'perm: share needs download, too: whoever opens a link downloads');
}

/** The same permissions without a `share` that has no effect. */
export const withoutVainShare = <P extends SharePermissions>(perm: P): P =>
  sharesInVain(perm) ? { ...perm, share: false } : perm;
