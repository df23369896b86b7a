import { useEffect, useMemo, useRef, useState } from 'react';
import { isAbort } from '../../../api/api-error.ts';
import { decodeTiff } from './decode-tiff.ts';
import { useFileAddresses } from '../file-addresses.ts';
import { pictureSources } from './picture-source.ts';
import type { PreviewEntry } from '../preview-entry.ts';

/** The picture of a file that is shown at the moment. */
export interface Picture {
  /** Null while it is being decoded. */
  readonly url: string | null;
  /** Whether the picture has all pixels of the original. */
  readonly isFullSize: boolean;
  /** To be called when the browser cannot show the picture; the next source is tried. */
  readonly onError: () => void;
}

/**
 * Tries the sources of an image in order and calls `onBroken` when none can be shown. `wantsFullSize` requests all its
 * pixels.
 */
export function usePicture(entry: PreviewEntry, wantsFullSize: boolean, onBroken: () => void): Picture {
  const addresses = useFileAddresses();
  const sources = useMemo(
    () => pictureSources(entry, wantsFullSize, addresses),
    [entry, wantsFullSize, addresses],
  );
  // By address: the same file may become another object, such as when its folder has been read, and must not start again.
  const addressesKey = sources.map(({ url }) => url).join(' ');
  const [failed, setFailed] = useState({ addressesKey, count: 0 });
  const count = failed.addressesKey === addressesKey ? failed.count : 0;
  const source = sources[count];
  const [decoded, setDecoded] = useState<{ from: string; url: string } | null>(null);
  const latestOnBroken = useRef(onBroken);
  useEffect(() => {
    latestOnBroken.current = onBroken;
  });
  const toDecode = source?.isDecodedInPage ? source.url : null;
  useEffect(() => {
    if (toDecode === null) return undefined;
    const controller = new AbortController();
    let objectUrl: string | null = null;
    const decode = async () => {
      try {
        const picture = await decodeTiff(toDecode, controller.signal);
        if (controller.signal.aborted) return;
        objectUrl = URL.createObjectURL(picture);
        setDecoded({ from: toDecode, url: objectUrl });
      } catch (error) {
        if (!isAbort(error) && !controller.signal.aborted) latestOnBroken.current();
      }
    };
    void decode();
    return () => {
      controller.abort();
      if (objectUrl !== null) URL.revokeObjectURL(objectUrl);
    };
  }, [toDecode]);
  const onError = () => {
    if (count + 1 < sources.length) setFailed({ addressesKey, count: count + 1 });
    else onBroken();
  };
  if (toDecode !== null)
    return { url: decoded?.from === toDecode ? decoded.url : null, isFullSize: true, onError };
  return { url: source?.url ?? null, isFullSize: source?.isFullSize ?? false, onError };
}
