import { useEffect, useMemo, useRef, useState } from 'react';
import { isAbort } from '../../../api/api-error.ts';
import { decodeTiff } from './decode-tiff.ts';
import { useFileAddresses } from '../file-addresses.ts';
import { pictureSources } from './picture-source.ts';
import type { PreviewEntry } from '../preview-entry.ts';

/** The picture of a file as it is to be shown now. */
export interface Picture {
  /** Null while it is being decoded. */
  readonly url: string | null;
  /** The address shows all pixels of the original. */
  readonly isWhole: boolean;
  /** To be called when the browser does not show what is behind the address: the next way is tried. */
  readonly onError: () => void;
}

/** Finds a way to show an image; `onBroken` when there is none. `wantsWhole` asks for all its pixels. */
export function usePicture(entry: PreviewEntry, wantsWhole: boolean, onBroken: () => void): Picture {
  const addresses = useFileAddresses();
  const sources = useMemo(() => pictureSources(entry, wantsWhole, addresses), [entry, wantsWhole, addresses]);
  const [tried, setTried] = useState({ sources, count: 0 });
  const count = tried.sources === sources ? tried.count : 0;
  const source = sources[count];
  const [decoded, setDecoded] = useState<{ from: string; url: string } | null>(null);
  const broken = useRef(onBroken);
  useEffect(() => {
    broken.current = onBroken;
  });
  const toDecode = source?.isDecodedHere ? source.url : null;
  useEffect(() => {
    if (toDecode === null) return undefined;
    const leave = new AbortController();
    let lent: string | null = null;
    const decode = async () => {
      try {
        const picture = await decodeTiff(toDecode, leave.signal);
        if (leave.signal.aborted) return;
        lent = URL.createObjectURL(picture);
        setDecoded({ from: toDecode, url: lent });
      } catch (error) {
        if (!isAbort(error) && !leave.signal.aborted) broken.current();
      }
    };
    void decode();
    return () => {
      leave.abort();
      if (lent !== null) URL.revokeObjectURL(lent);
    };
  }, [toDecode]);
  const onError = () => {
    if (count + 1 < sources.length) setTried({ sources, count: count + 1 });
    else onBroken();
  };
  if (toDecode !== null)
    return { url: decoded?.from === toDecode ? decoded.url : null, isWhole: true, onError };
  return { url: source?.url ?? null, isWhole: source?.isWhole ?? false, onError };
}
