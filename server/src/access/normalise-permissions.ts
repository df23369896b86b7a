import type { Permissions } from '@filestead/contract/values/permissions';
import { AppError } from '../errors.ts';

type SharePermissions = Pick<Permissions, 'share' | 'download'>;

/** Whether links can be made that nobody could open: their visitors get what their owner may download. */
const sharesInVain = ({ share, download }: SharePermissions): boolean => share && !download;

/**
 * The permissions as they are stored: `share` needs `download`. Throws `bad_request` when `share` is given without it. Where
 * both were held (`former`), taking `download` away takes `share`, so that a right can always be withdrawn. The contradiction
 * may stay where it is stored already: a client that sends the whole record back changes what it means to change.
 */
export function normalisePermissions<P extends SharePermissions>(perm: P, former?: SharePermissions): P {
  if (!sharesInVain(perm) || (former !== undefined && sharesInVain(former))) return perm;
  if (former?.share === true) return withoutUnusableShare(perm);
  throw new AppError('bad_request', 'perm: share needs download, too: whoever opens a link downloads');
}

/** The same permissions without a `share` that has no effect. */
export const withoutUnusableShare = <P extends SharePermissions>(perm: P): P =>
  sharesInVain(perm) ? { ...perm, share: false } : perm;
