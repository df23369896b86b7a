import { getMedia, type MediaInfo } from '@filestead/contract/previews';
import { useCallback } from 'react';
import { call } from '../../../api/call.ts';
import { useReady } from '../../../ui/hooks/use-loaded.ts';
import type { FileEntry } from '../entries/entry.ts';

/** Returns the properties in the header of a picture, video or audio file; null while they are loading, and for other files. */
export function useMediaInfo({ path, type, modifiedMs }: FileEntry, canDownload: boolean): MediaInfo | null {
  const load = useCallback(
    (signal: AbortSignal) => call(getMedia, { path, signal }),
    // A changed file is read again.
    // oxlint-disable-next-line react/exhaustive-deps
    [path, modifiedMs],
  );
  const isMedia = canDownload && (type === 'image' || type === 'video' || type === 'audio');
  return useReady(isMedia ? load : null);
}
