import { type VirtualPath, isValidNewName, parsePath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';

/**
 * Returns the name of a user's home folder (docs/reference/filebrowser-api.md §3.2). Throws `bad_request` if
 * no usable character remains.
 */
export function homeNameOf(username: string): string {
  const name = username
    .trim()
    .replaceAll('..', '')
    .replaceAll(/[^A-Za-z0-9@_.-]/g, '-')
    .replaceAll(/-+/g, '-');
  if (name === '' || name === '-' || name === '.' || !isValidNewName(name)) {
    throw new AppError('bad_request', 'no home folder can be named after this user; give a scope');
  }
  return name;
}

/** Returns a scope as it is stored: canonical, relative to the served root. Empty and `.` mean the root. */
export const normalizeScope = (scope: string): VirtualPath => parsePath(scope.trim()).path;

/** Returns the home folder of a new user below `basePath`. */
export const homeOf = (basePath: string, username: string): VirtualPath =>
  parsePath(`${basePath}/${homeNameOf(username)}`).path;
