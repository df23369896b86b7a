import { useEffect } from 'react';
import { useFileAddresses, type FileAddresses } from '../file-addresses.ts';
import { pictureSources } from '../images/picture-source.ts';
import { isDecodedByBrowser, previewKindOf, type Neighbours, type PreviewEntry } from '../preview-entry.ts';

/** Neighbouring images that come as they are are fetched ahead up to this size. */
const largestBytes = 32 * 1024 * 1024;

function addressToFetch(entry: PreviewEntry | null, addresses: FileAddresses): string | null {
  if (!entry || previewKindOf(entry) !== 'image') return null;
  const [source] = pictureSources(entry, false, addresses);
  if (!source || (source.isWhole && (entry.size > largestBytes || !isDecodedByBrowser(entry)))) return null;
  return source.url;
}

/** Fetches the images beside this one, so that turning to them shows them at once. */
export function usePrefetch(neighbours: Neighbours | null): void {
  const addresses = useFileAddresses();
  const next = addressToFetch(neighbours?.next ?? null, addresses);
  const previous = addressToFetch(neighbours?.previous ?? null, addresses);
  useEffect(() => {
    const images = [next, previous].flatMap((url) => {
      if (url === null) return [];
      const image = new Image();
      image.src = url;
      return [image];
    });
    // Whoever has moved on does not wait for them.
    return () => images.forEach((image) => image.removeAttribute('src'));
  }, [next, previous]);
}
