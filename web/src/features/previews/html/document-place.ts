import { parentOf, virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FileAddresses } from '../file-addresses.ts';
import { isOutsideLink, type DocumentLocation } from './clean-html.ts';

/** The file that a relative address in the file `from` means; null for anything else, malformed ones too. */
export function resolveFile(written: string, from: VirtualPath): VirtualPath | null {
  const [address = ''] = written.trim().split(/[?#]/u);
  if (address === '' || /^[a-z][a-z\d+.-]*:|^\/\//iu.test(address)) return null;
  try {
    // The way through `..` is gone before the path is read: nothing lies above the root.
    const base = new URL(`http://file${parentOf(from).split('/').map(encodeURIComponent).join('/')}/`);
    return virtualPath(decodeURIComponent(new URL(address, base).pathname));
  } catch {
    return null;
  }
}

/** Where links and images of the text file at `path` lead: to other files, or out into the web. */
export function placeOf(
  path: VirtualPath | null,
  addressOf: ((path: VirtualPath) => string) | undefined,
  { beside }: FileAddresses,
): DocumentLocation {
  return {
    linkTo: (written) => {
      if (isOutsideLink(written)) return written.trim();
      const file = path && resolveFile(written, path);
      return file && addressOf ? addressOf(file) : null;
    },
    imageAt: (written) => {
      // Small pictures may stand in the text itself; those of strangers are never asked for.
      if (/^data:image\/(?:png|jpeg|gif|webp|avif);base64,/iu.test(written)) return written;
      const file = path && resolveFile(written, path);
      return file && beside(file);
    },
  };
}
