import type { Share } from '@filestead/contract/shares';
import type { StoredShare } from '../database/stored-share.ts';
import { secondsOf } from './dependencies.ts';

/** Returns a share without its secrets, as the API sends it. `username` is included for administrators only. */
export function presentShare(share: StoredShare, username?: string): Share {
  const { hash, path, isFolder, userId, expiresAt, passwordHash, createdAt, visits } = share;
  return {
    hash,
    path: isFolder && path !== '/' ? `${path}/` : path,
    userID: userId,
    expire: expiresAt,
    hasPassword: passwordHash !== null,
    created: secondsOf(createdAt),
    visits,
    ...(username === undefined ? {} : { username }),
  };
}
