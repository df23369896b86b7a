import { extensionOf } from '@filestead/contract/paths/virtual-path';
import { pictureFormatOf, pictureFormats } from '@filestead/contract/values/picture-formats';
import { mediaTypeOfName, sniffMediaType } from '../media-types/media-type.ts';
import type { PictureKind } from './decoder/protocol.ts';

/** The way in which a preview of a file is made. */
export type Source =
  /** A picture that is decoded. */
  | { readonly way: 'decode'; readonly kind: PictureKind }
  /** The file itself is shown by browsers: an animation or an SVG. `kind` is for a still picture of it. */
  | { readonly way: 'original'; readonly kind: PictureKind | null }
  /** A camera RAW file, which contains a picture. */
  | { readonly way: 'embedded' }
  /** A video or audio file. */
  | { readonly way: 'frame' }
  | { readonly way: 'cover' }
  /** A file with the extension of a picture, but other content. */
  | { readonly way: 'broken' }
  /** An image of an unsupported kind, or not an image. */
  | { readonly way: 'unknown_image' }
  | { readonly way: 'none' };

/** Number of bytes at the beginning of a file that {@link recognize} needs. */
export const recognizedBytes = 512;

/** [kind, offset in bytes, the bytes as Latin-1 text] */
const signatures: readonly (readonly [PictureKind, number, string])[] = [
  ['jpeg', 0, '\xff\xd8\xff'],
  ['png', 0, '\x89PNG\r\n\x1a\n'],
  ['gif', 0, 'GIF87a'],
  ['gif', 0, 'GIF89a'],
  ['webp', 8, 'WEBP'],
  ['tiff', 0, 'II*\0'],
  ['tiff', 0, 'MM\0*'],
  ['tiff', 0, 'II+\0'],
  ['tiff', 0, 'MM\0+'],
  ['bmp', 0, 'BM'],
];

/** Brands of HEIF files with HEVC pictures (ISO/IEC 23008-12 annex B); `mif1` and `msf1` may contain either kind. */
const heicBrands = new Set(['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis']);
const avifBrands = new Set(['avif', 'avis']);

/** Returns the kind of a HEIF file by its brands; null for other files. */
function heifKind(head: Buffer): PictureKind | null {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return null;
  const end = Math.min(head.length, head.readUInt32BE(0));
  const brands: string[] = [];
  for (let at = 8; at + 4 <= end; at += 4) if (at !== 12) brands.push(head.toString('latin1', at, at + 4));
  if (brands.some((brand) => avifBrands.has(brand))) return 'avif';
  if (brands.some((brand) => heicBrands.has(brand))) return 'heic';
  return brands[0] === 'mif1' || brands[0] === 'msf1' ? 'heic' : null;
}

/** Returns the kind of a picture by its content; its name is ignored. SVG files are not recognized by content. */
export function pictureKindOf(head: Buffer): PictureKind | null {
  if (head.length < 16) return null;
  const text = head.toString('latin1', 0, 16);
  const found = signatures.find(([, offset, bytes]) => text.startsWith(bytes, offset));
  return found?.[0] ?? heifKind(head);
}

/** Whether a WebP file is animated (RIFF container, `VP8X` flags). */
export const isAnimatedWebp = (head: Buffer): boolean =>
  head.length > 20 && head.toString('latin1', 12, 16) === 'VP8X' && (head.readUInt8(20) & 0x02) !== 0;

/** Media types of the formats that are decoded. */
const decodedTypes: ReadonlySet<string | undefined> = new Set(
  [...pictureFormats.values()].filter(({ isDecoded }) => isDecoded).map(({ mediaType }) => mediaType),
);

/** Determines the way of the preview: by name first and then by content, as listings determine the type. */
export function recognize(name: string, head: Buffer): Source {
  const mediaType = mediaTypeOfName(name) ?? sniffMediaType(head);
  if (mediaType.startsWith('video/')) return { way: 'frame' };
  if (mediaType.startsWith('audio/')) return { way: 'cover' };
  if (pictureFormatOf(name)?.isRaw === true) return { way: 'embedded' };
  if (!mediaType.startsWith('image/')) return { way: 'none' };
  if (mediaType === 'image/svg+xml')
    return { way: 'original', kind: extensionOf(name).toLowerCase() === '.svg' ? 'svg' : null };
  const kind = pictureKindOf(head);
  // Files with the extension of GIF are sent unchanged, even if their content is another format (docs/reference/filebrowser-api.md §1.8).
  if (kind === 'gif' || mediaType === 'image/gif') return { way: 'original', kind };
  if (kind === 'webp' && isAnimatedWebp(head)) return { way: 'original', kind };
  if (kind !== null) return { way: 'decode', kind };
  if (mediaType === 'image/vnd.microsoft.icon') return { way: 'original', kind: null };
  return { way: decodedTypes.has(mediaType) ? 'broken' : 'unknown_image' };
}
