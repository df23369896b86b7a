import type { EntryType } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useState } from 'react';
import { isApiError } from '../../../api/call.ts';
import { openPublic } from './open-public.ts';

/** Metadata that requires opening the file; a folder's listing guesses by name. */
export interface PublicFileDetails {
  readonly type: EntryType;
  readonly subtitles: readonly VirtualPath[];
}

interface PublicFile {
  readonly hash: string;
  readonly path: VirtualPath;
  readonly token: string | undefined;
}

/**
 * Fetches the metadata of a file in a shared folder; null until it is known. `onMissing` is called if the file no longer
 * exists or the share has expired. Keep it stable between renders.
 */
export function usePublicFile(
  { hash, path, token }: PublicFile,
  onMissing: () => void,
): PublicFileDetails | null {
  const [loaded, setLoaded] = useState<{ path: VirtualPath; details: PublicFileDetails } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const load = async () => {
      try {
        const { type, subtitles } = await openPublic({ hash, path }, { token }, controller.signal);
        if (!controller.signal.aborted) setLoaded({ path, details: { type, subtitles } });
      } catch (error) {
        // The shown file remains while the server cannot be reached.
        const isRefusal = isApiError(error) && error.status >= 400 && error.status < 500;
        if (!controller.signal.aborted && isRefusal && error.status !== 429) onMissing();
      }
    };
    void load();
    return () => controller.abort();
  }, [hash, path, token, onMissing]);
  return loaded?.path === path ? loaded.details : null;
}
