import { joinPaths, nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isAppError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import {
  baseNameOf,
  createSubtitleFinder,
  isSubtitleFolder,
  isSubtitleName,
  maxSubtitles,
} from './find-subtitles.ts';

/** Maximum number of subtitle folders that are read, on each level. */
const maxFolders = 16;

interface Names {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** Joins a folder and a name from the disk, which cannot contain a separator. */
const inFolder = (folder: VirtualPath, name: string): VirtualPath =>
  joinPaths(folder, `/${name}` as VirtualPath);

/** Returns the names in a folder; none if it cannot be listed. */
async function namesIn(storage: Storage, folder: VirtualPath, signal: AbortSignal): Promise<Names> {
  const namesRead = new AbortController();
  try {
    const { names, folderCount } = await storage.list(folder, {
      signal: AbortSignal.any([signal, namesRead.signal]),
    });
    return { folders: names.slice(0, folderCount), files: names.slice(folderCount) };
  } catch (error) {
    if (isAppError(error, 'forbidden', 'not_found', 'not_a_folder', 'external_link')) {
      return { folders: [], files: [] };
    }
    throw error;
  } finally {
    namesRead.abort(); // The metadata of the entries is not needed.
  }
}

/**
 * Returns the subtitle files of a video (docs/reference/filebrowser-api.md §6.4): those beside it whose names begin with its
 * base name, all in folders `subs` or `subtitles` beside it, and all in folders in those whose names begin with its base
 * name. Files that begin with the base name come first.
 */
export async function collectSubtitles(
  storage: Storage,
  video: VirtualPath,
  signal: AbortSignal,
): Promise<VirtualPath[]> {
  const folder = parentOf(video);
  const base = baseNameOf(nameOf(video));
  const videoFolderNames = await namesIn(storage, folder, signal);
  const matching = createSubtitleFinder(
    videoFolderNames.files,
    0,
  )(nameOf(video)).map((name) => inFolder(folder, name));
  const others: VirtualPath[] = [];
  const addFiles = (from: VirtualPath, files: readonly string[]): void => {
    for (const name of files.filter(isSubtitleName)) {
      (name.startsWith(base) ? matching : others).push(inFolder(from, name));
    }
  };
  for (const name of videoFolderNames.folders.filter(isSubtitleFolder).slice(0, maxFolders)) {
    const subtitleFolder = inFolder(folder, name);
    const inside = await namesIn(storage, subtitleFolder, signal);
    addFiles(subtitleFolder, inside.files);
    for (const innerName of inside.folders.filter((inner) => inner.startsWith(base)).slice(0, maxFolders)) {
      const innerFolder = inFolder(subtitleFolder, innerName);
      addFiles(innerFolder, (await namesIn(storage, innerFolder, signal)).files);
    }
  }
  return [...matching, ...others].slice(0, maxSubtitles);
}
