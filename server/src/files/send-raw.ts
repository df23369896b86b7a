import { type ArchiveFormat, archiveFormatNamed } from '@filestead/contract/values/archive-formats';
import { maxArchivePaths } from '@filestead/contract/values/limits';
import {
  joinPaths,
  nameOf,
  parseEncodedPath,
  type RequestedPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../errors.ts';
import type { ContentViews, RawRequest } from '../http/files/content-views.ts';
import { sendFile } from '../http/files/send-file.ts';
import type { OpenFile, Storage } from '../storage/storage.ts';

/** The functions of the archives feature, passed in because features do not import each other. */
export interface ArchiveFunctions {
  readonly archiveName: (paths: readonly VirtualPath[], rootName: string) => Promise<string>;
  readonly sendArchive: (
    options: Pick<RawRequest, 'storage' | 'request' | 'reply'> & {
      readonly signal: AbortSignal;
      readonly paths: readonly VirtualPath[];
      readonly format: ArchiveFormat;
      readonly name: string;
    },
  ) => Promise<void>;
}

/** Parses the paths in `files`, relative to `folder`: split at commas, then decoded once more (docs/reference/filebrowser-api.md §1.7). */
function listedPaths(folder: VirtualPath, files: string): VirtualPath[] {
  const parts = files.split(',').filter((part) => part !== '');
  if (parts.length > maxArchivePaths) throw new AppError('bad_request', 'query.files: too many names');
  return parts.map((part) => joinPaths(folder, parseEncodedPath(part).path));
}

/** Opens the requested file; null when it is a folder. */
async function openUnlessFolder(
  storage: Storage,
  { path, isFolderPath }: RequestedPath,
): Promise<OpenFile | null> {
  if (isFolderPath) {
    const entry = await storage.stat(path);
    if (entry === null) throw new AppError('not_found');
    if (entry.kind === 'invalid_link') throw new AppError('external_link');
    // Existing clients may append a slash to any path, also to that of a file.
    if (entry.kind === 'folder') return null;
  }
  try {
    return await storage.openFile(path, { prefersContent: true });
  } catch (error) {
    if (isAppError(error, 'is_folder')) return null;
    throw error;
  }
}

/**
 * Returns the function that sends raw bytes. It throws `not_found`, `special_file`, `external_link`, `forbidden`,
 * `invalid_path`, `unsupported_archive_format`, and the errors of `sendFile` and `sendArchive`.
 */
export function rawSender({ archiveName, sendArchive }: ArchiveFunctions): ContentViews['sendRaw'] {
  return async (options) => {
    const { storage, requested, query, request, reply } = options;
    const listed = listedPaths(requested.path, query.files ?? '');
    const file = listed.length > 0 ? null : await openUnlessFolder(storage, requested);
    if (file !== null) {
      try {
        const isInline = query.inline === 'true';
        await sendFile(request, reply, file, { name: nameOf(requested.path), isInline });
      } finally {
        await file.close();
      }
      return;
    }
    const format = archiveFormatNamed(query.algo);
    if (format === null) throw new AppError('unsupported_archive_format');
    const paths = listed.length > 0 ? listed : [requested.path];
    const name = await archiveName(paths, options.rootName);
    await sendArchive({ storage, paths, format, name, request, reply, signal: options.getSignal() });
  };
}
