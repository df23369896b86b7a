import { extensionOf } from '@filestead/contract/paths/virtual-path';

/** Maximum number of subtitles per video. */
export const maxSubtitles = 100;

/** Whether a name has the extension of a supported subtitle format. */
export const isSubtitleName = (name: string): boolean => /\.(?:vtt|srt|ass|ssa)$/i.test(name);

/** Whether a folder beside videos contains their subtitles, by its name (docs/reference/filebrowser-api.md §6.4). */
export const isSubtitleFolder = (name: string): boolean => /^sub(?:s|titles)$/i.test(name);

/** Returns the name of a video without its extension. The names of its subtitles begin with it. */
export const baseNameOf = (videoName: string): string =>
  videoName.slice(0, videoName.length - extensionOf(videoName).length);

/** Returns the first position in the sorted `names` that is not before `text`. */
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

/** Finds the subtitles of a video: subtitle files whose names begin with its base name, in name order. */
export type FindSubtitles = (videoName: string) => string[];

/**
 * Indexes a folder's names in one pass, so that each search costs only a binary search and its results.
 *
 * @param names in natural order, folders first
 * @param folderCount the number of folders among them
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
