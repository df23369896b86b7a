import { extensionOf } from '@filestead/contract/paths/virtual-path';

/** More subtitles of one video than this are left out. */
const maxSubtitles = 100;

/** Whether a name is that of a subtitle file that can be shown. */
export const isSubtitleName = (name: string): boolean => /\.(?:vtt|srt|ass|ssa)$/i.test(name);

/** Whether a folder beside videos is meant for their subtitles (docs/reference/filebrowser-api.md §6.4). */
export const isSubtitleFolder = (name: string): boolean => /^sub(?:s|titles)$/i.test(name);

/** The name of a video without its extension: what names of its subtitles begin with. */
export const baseNameOf = (videoName: string): string =>
  videoName.slice(0, videoName.length - extensionOf(videoName).length);

/** The first position in the sorted `names` that is not before `text`. */
function lowerBound(names: readonly string[], text: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((names[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds the subtitles of a video by its name: subtitle files that begin like it, in name order. */
export type FindSubtitles = (videoName: string) => string[];

/**
 * Prepares the search in one pass over a folder's names; each video then costs no more than the subtitles it has.
 *
 * @param names in natural order, folders first
 * @param folderCount how many of them are folders
 */
export function createSubtitleFinder(names: readonly string[], folderCount: number): FindSubtitles {
  const rank = new Map<string, number>();
  for (let index = folderCount; index < names.length; index++) {
    const name = names[index];
    if (name !== undefined && isSubtitleName(name)) rank.set(name, index);
  }
  if (rank.size === 0) return () => [];
  const sorted = [...rank.keys()].sort((a, b) => (a < b ? -1 : 1));
  return (videoName) => {
    const base = baseNameOf(videoName);
    const start = lowerBound(sorted, base);
    let end = start;
    while (end - start < maxSubtitles && sorted[end]?.startsWith(base) === true) end += 1;
    return sorted.slice(start, end).sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
  };
}
