import { joinPaths, nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isAppError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { baseNameOf, createSubtitleFinder, isSubtitleFolder, isSubtitleName } from './find-subtitles.ts';

/** More subtitles of one video than this are left out. */
const maxSubtitles = 100;
/** So many folders for subtitles are looked into. */
const maxFolders = 16;

interface Names {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** Names read from the disk have no separator. */
const inFolder = (folder: VirtualPath, name: string): VirtualPath =>
  joinPaths(folder, `/${name}` as VirtualPath);

/** The names in a folder; none where it may not be listed. */
async function namesIn(storage: Storage, folder: VirtualPath, signal: AbortSignal): Promise<Names> {
  const leaving = new AbortController();
  try {
    const { names, folderCount } = await storage.list(folder, {
      signal: AbortSignal.any([signal, leaving.signal]),
    });
    return { folders: names.slice(0, folderCount), files: names.slice(folderCount) };
  } catch (error) {
    if (isAppError(error, 'forbidden', 'not_found', 'not_a_folder', 'external_link')) {
      return { folders: [], files: [] };
    }
    throw error;
  } finally {
    leaving.abort(); // only the names were wanted
  }
}

/**
 * The subtitle files of a video (docs/reference/filebrowser-api.md §6.4), those that begin like it first: beside it; all in folders beside it
 * called `subs` or `subtitles`; and all in folders therein that begin like it.
 */
export async function gatherSubtitles(
  storage: Storage,
  video: VirtualPath,
  signal: AbortSignal,
): Promise<VirtualPath[]> {
  const folder = parentOf(video);
  const base = baseNameOf(nameOf(video));
  const beside = await namesIn(storage, folder, signal);
  const own = createSubtitleFinder(beside.files, 0)(nameOf(video)).map((name) => inFolder(folder, name));
  const others: VirtualPath[] = [];
  const take = (place: VirtualPath, files: readonly string[]): void => {
    for (const name of files.filter(isSubtitleName)) {
      (name.startsWith(base) ? own : others).push(inFolder(place, name));
    }
  };
  for (const name of beside.folders.filter(isSubtitleFolder).slice(0, maxFolders)) {
    const place = inFolder(folder, name);
    const inside = await namesIn(storage, place, signal);
    take(place, inside.files);
    for (const deeper of inside.folders.filter((inner) => inner.startsWith(base)).slice(0, maxFolders)) {
      const inner = inFolder(place, deeper);
      take(inner, (await namesIn(storage, inner, signal)).files);
    }
  }
  return [...own, ...others].slice(0, maxSubtitles);
}
