import { parentOf, virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FileAddresses } from '../file-addresses.ts';
import { hasOrigin, isOutsideLink, type DocumentLocation } from './clean-html.ts';

/** Resolves a relative address in the file `from` to a file; null for any other or malformed address. */
export function resolveFile(href: string, from: VirtualPath): VirtualPath | null {
  const [address = ''] = href.trim().split(/[?#]/u);
  if (address === '' || hasOrigin(address)) return null;
  try {
    // `..` is resolved before the path is parsed, so that no path leads above the root.
    const base = new URL(`http://file${parentOf(from).split('/').map(encodeURIComponent).join('/')}/`);
    return virtualPath(decodeURIComponent(new URL(address, base).pathname));
  } catch {
    return null;
  }
}

/**
 * Resolves the links and images of the text file at `path`: links to other files or into the web, images beside the
 * file.
 */
export function documentLocation(
  path: VirtualPath | null,
  addressOf: ((path: VirtualPath) => string) | undefined,
  { embeddedImage }: FileAddresses,
): DocumentLocation {
  return {
    linkTo: (href) => {
      if (isOutsideLink(href)) return href.trim();
      const file = path && resolveFile(href, path);
      return file && addressOf ? addressOf(file) : null;
    },
    imageAt: (href) => {
      // Images may be embedded as data; foreign addresses are never requested.
      if (/^data:image\/(?:png|jpeg|gif|webp|avif);base64,/iu.test(href)) return href;
      const file = path && resolveFile(href, path);
      return file && embeddedImage(file);
    },
  };
}
