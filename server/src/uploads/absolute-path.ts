import { parsePath, type RequestedPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';

/** Parses a path in a body. Throws `bad_request` for a missing or relative one, and `invalid_path`. */
export function absolutePath(path: string | undefined): RequestedPath {
  if (path === undefined || !path.startsWith('/'))
    throw new AppError('bad_request', 'path: expected a path that begins with a slash');
  return parsePath(path);
}
