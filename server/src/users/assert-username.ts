import { isInvisible } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';

/** Maximum length of a username, in characters. */
const maxNameLength = 128;

/**
 * Throws `bad_request` for names that cannot be distinguished on a screen or in a log, or that programs could
 * take for options.
 */
export function assertValidUsername(username: string): void {
  if (username.trim() === '') throw new AppError('bad_request', 'the username is empty');
  if (isInvisible(username))
    throw new AppError('bad_request', 'the username consists of invisible characters');
  if (username.length > maxNameLength) throw new AppError('bad_request', 'the username is too long');
  if (username !== username.trim()) {
    throw new AppError('bad_request', 'the username starts or ends with a space');
  }
  if (username.startsWith('-')) throw new AppError('bad_request', 'the username starts with a hyphen');
  if (
    !username.isWellFormed() ||
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(username)
  ) {
    throw new AppError('bad_request', 'the username contains invisible characters');
  }
}
