import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';
import type { Storage } from './storage.ts';

/** Throws `not_found`, `external_link`, `not_a_folder` and the errors of `stat` unless there is a folder at `path`. */
export async function assertFolder(storage: Pick<Storage, 'stat'>, path: VirtualPath): Promise<void> {
  const entry = await storage.stat(path);
  if (entry === null) throw new AppError('not_found');
  if (entry.kind === 'invalid_link') throw new AppError('external_link');
  if (entry.kind !== 'folder') throw new AppError('not_a_folder');
}
