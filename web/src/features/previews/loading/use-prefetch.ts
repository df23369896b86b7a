import { useEffect } from 'react';
import { useFileAddresses, type FileAddresses } from '../file-addresses.ts';
import { pictureSources } from '../images/picture-source.ts';
import { isDecodedByBrowser, previewKindOf, type Neighbors, type PreviewEntry } from '../preview-entry.ts';

/** Maximum size of an original that is prefetched. */
const maxBytes = 32 * 1024 * 1024;

function prefetchUrl(entry: PreviewEntry | null, addresses: FileAddresses): string | null {
  if (!entry || previewKindOf(entry) !== 'image') return null;
  const [source] = pictureSources(entry, false, addresses);
  if (!source || (source.isFullSize && (entry.size > maxBytes || !isDecodedByBrowser(entry)))) return null;
  return source.url;
}

/** Prefetches the previous and the next image, so that they appear at once. */
export function usePrefetch(neighbors: Neighbors | null): void {
  const addresses = useFileAddresses();
  const next = prefetchUrl(neighbors?.next ?? null, addresses);
  const previous = prefetchUrl(neighbors?.previous ?? null, addresses);
  useEffect(() => {
    const images = [next, previous].flatMap((url) => {
      if (url === null) return [];
      const image = new Image();
      image.src = url;
      return [image];
    });
    // Requests for images that are no longer neighbors are cancelled.
    return () => images.forEach((image) => image.removeAttribute('src'));
  }, [next, previous]);
}
