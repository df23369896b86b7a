import type { Permissions, PermissionsChange } from '@filestead/contract/values/permissions';
import { AppError } from '../errors.ts';

type SharePermissions = Pick<Permissions, 'share' | 'download'>;

/** Whether shares could be created that do not work: visitors can only download if the share's owner may. */
const hasUnusableShare = ({ share, download }: SharePermissions): boolean => share && !download;

/**
 * Returns the permissions as they are stored: `share` requires `download`. Throws `bad_request` if `share` is
 * granted without it. If the user had both (`former`), removing `download` also removes `share`, so that a
 * permission can always be withdrawn. A contradiction that is stored already may remain, so that a client can
 * send the whole record back and change other fields.
 */
export function normalizePermissions<P extends SharePermissions>(perm: P, former?: SharePermissions): P {
  if (!hasUnusableShare(perm) || (former !== undefined && hasUnusableShare(former))) return perm;
  if (former?.share === true) return withoutUnusableShare(perm);
  throw new AppError('bad_request', 'perm: share requires download, because visitors of a share download');
}

/** Removes `share` from permissions in which it has no effect. */
export const withoutUnusableShare = <P extends SharePermissions>(perm: P): P =>
  hasUnusableShare(perm) ? { ...perm, share: false } : perm;

/** Returns all permissions; one that an older client does not know and did not send is that of `base`. */
export const completePermissions = (
  perm: PermissionsChange,
  base: Pick<Permissions, 'purge'>,
): Permissions => ({ ...perm, purge: perm.purge ?? base.purge });
