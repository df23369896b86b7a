import { getMedia } from '@filestead/contract/previews';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';

/** Title, artist and album of a recording from its header. */
export interface Tags {
  readonly title?: string | undefined;
  readonly artist?: string | undefined;
  readonly album?: string | undefined;
}

const noTags: Tags = {};

/** Returns title, artist and album of the recording at `path`; nothing until they are loaded, or without tags. */
export function useTags(path: VirtualPath): Tags {
  const [loaded, setLoaded] = useState<{ path: VirtualPath; tags: Tags } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    call(getMedia, { path, signal: controller.signal }).then(
      ({ title, artist, album }) => setLoaded({ path, tags: { title, artist, album } }),
      // The name of the file is shown instead.
      () => undefined,
    );
    return () => controller.abort();
  }, [path]);
  return loaded?.path === path ? loaded.tags : noTags;
}
