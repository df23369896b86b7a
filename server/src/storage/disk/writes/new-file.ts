import fs from 'node:fs';
import { AppError } from '../../../errors.ts';
import type { WriteOptions } from '../../storage.ts';
import { openFlags } from '../paths/folder.ts';
import type { ScopeRoot } from '../paths/locate.ts';
import { kindOf, type Metadata } from '../paths/metadata.ts';
import { defaultModes, openMode, setFileMode } from '../paths/modes.ts';
import { perform, type Steps } from '../paths/steps.ts';
import { openFile, type RawPath } from '../paths/syscalls.ts';

/** Throws unless a file may be written in place of `current`. */
export function assertWritable(current: Pick<Metadata, 'mode'> | null, mode: WriteOptions['mode']): void {
  if (current === null) {
    if (mode === 'replace') throw new AppError('not_found');
    return;
  }
  if (mode === 'create') throw new AppError('already_exists');
  const kind = kindOf(Number(current.mode));
  if (kind === 'folder') throw new AppError('is_folder');
  if (kind === 'special') throw new AppError('special_file');
}

/** Creates and opens a file with the configured permission bits. The caller closes the descriptor. */
export function* openNew({ modes = defaultModes }: Pick<ScopeRoot, 'modes'>, path: RawPath): Steps<number> {
  const descriptor = yield* perform(openFile(path, openFlags.create, openMode(modes)));
  try {
    yield* setFileMode(descriptor, modes);
    return descriptor;
  } catch (error) {
    fs.closeSync(descriptor);
    throw error;
  }
}
