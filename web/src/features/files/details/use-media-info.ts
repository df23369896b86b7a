import { getMedia, type MediaInfo } from '@filestead/contract/previews';
import { useEffect, useState } from 'react';
import { call } from '../../../api/call.ts';
import type { FileEntry } from '../entries/entry.ts';

/** Returns the properties in the header of a picture, video or audio file; null while they are loading, and for other files. */
export function useMediaInfo({ path, type, modifiedMs }: FileEntry, canDownload: boolean): MediaInfo | null {
  const key = `${path} ${modifiedMs}`;
  const [known, setKnown] = useState<{ key: string; info: MediaInfo } | null>(null);
  const isMedia = canDownload && (type === 'image' || type === 'video' || type === 'audio');
  useEffect(() => {
    if (!isMedia) return undefined;
    const controller = new AbortController();
    call(getMedia, { path, signal: controller.signal }).then(
      (info) => setKnown({ key, info }),
      // The details are complete without it.
      () => undefined,
    );
    return () => controller.abort();
  }, [isMedia, path, key]);
  return isMedia && known?.key === key ? known.info : null;
}
