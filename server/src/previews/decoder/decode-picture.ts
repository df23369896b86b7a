import sharp, { type Sharp } from 'sharp';
import { boxPx, decodeTimeoutMs, maxPixels, maxWholePixels } from '../limits.ts';
import { decodeBmp } from './decode-bmp.ts';
import { decodeHeic } from './decode-heic.ts';
import { PictureTooLargeError, UnreadablePictureError } from './picture-errors.ts';
import { type Pixels, asTiff } from './pixels.ts';
import type { DecodeRequest, PictureKind } from './protocol.ts';

/** An encoded preview and its media type. */
export interface EncodedPicture {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** The libvips loaders that may read users' files. All others are blocked. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif', 'Svg'];
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: loaders.flatMap((name) => [`VipsForeignLoad${name}Buffer`]) });
sharp.cache(false);
sharp.concurrency(1);

/** The library's format names of the kinds that it decodes. */
const formatOf: Readonly<Partial<Record<PictureKind, string>>> = {
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  tiff: 'tiff',
  avif: 'heif',
  svg: 'svg',
};

/** The kinds that are always decoded completely, whatever the size of the result. */
const wholeKinds = new Set<PictureKind>(['webp', 'gif', 'avif', 'svg']);

const inputOptions = {
  // Truncated pictures are refused; smaller errors are tolerated.
  failOn: 'truncated',
  limitInputPixels: maxPixels,
  sequentialRead: true,
  pages: 1,
} as const;

/** Rotates a picture according to its EXIF orientation. The library mirrors first, then rotates. */
function applyOrientation(picture: Sharp, orientation: number): Sharp {
  switch (orientation) {
    case 2:
      return picture.flop();
    case 3:
      return picture.rotate(180);
    case 4:
      return picture.flip();
    case 5:
      return picture.flop().rotate(270);
    case 6:
      return picture.rotate(90);
    case 7:
      return picture.flop().rotate(90);
    case 8:
      return picture.rotate(270);
    default:
      return picture;
  }
}

/** A picture whose header was read. */
interface Opened {
  readonly picture: Sharp;
  readonly hasAlpha: boolean;
}

const openPixels = ({ data, width, height, channels }: Pixels): Sharp =>
  sharp(data, { raw: { width, height, channels }, limitInputPixels: maxPixels });

/** Reads the header of a picture and checks its size. Formats that libvips does not support are decoded. */
async function open(bytes: Buffer, { kind, orientation }: DecodeRequest): Promise<Opened> {
  if (kind === 'bmp') {
    const pixels = decodeBmp(bytes, maxWholePixels);
    return { picture: openPixels(pixels), hasAlpha: pixels.channels === 4 };
  }
  if (kind === 'heic') {
    const { pixels, profile } = await decodeHeic(bytes, maxWholePixels);
    const picture = profile === null ? openPixels(pixels) : sharp(asTiff(pixels, profile), inputOptions);
    return { picture, hasAlpha: false };
  }
  const picture = sharp(bytes, inputOptions);
  const { format, width, height, isProgressive, hasAlpha } = await picture.metadata();
  if (format !== formatOf[kind]) throw new UnreadablePictureError('is of another format');
  const isWhole = wholeKinds.has(kind) || isProgressive;
  if (width * height > (isWhole ? maxWholePixels : maxPixels)) throw new PictureTooLargeError();
  return {
    picture: orientation === null ? picture.autoOrient() : applyOrientation(picture, orientation),
    hasAlpha,
  };
}

const jpeg = { mediaType: 'image/jpeg', encode: (picture: Sharp) => picture.jpeg({ quality: 82 }) };
const png = { mediaType: 'image/png', encode: (picture: Sharp) => picture.png({ compressionLevel: 6 }) };
const webp = {
  mediaType: 'image/webp',
  encode: (picture: Sharp) => picture.webp({ quality: 82, effort: 2 }),
};
const tiff = {
  mediaType: 'image/tiff',
  encode: (picture: Sharp) => picture.tiff({ compression: 'lzw', predictor: 'none' }),
};

/**
 * Returns the output format. The small sizes are JPEGs, and a big picture has the format of its source
 * (docs/reference/filebrowser-api.md §1.8). If browsers do not support that format, or it loses transparency, requests
 * for browsers get a better one.
 */
function outputFormat({ kind, size, isForBrowser }: DecodeRequest, hasAlpha: boolean): typeof jpeg {
  if (size !== 'big') return hasAlpha && isForBrowser ? webp : jpeg;
  if (kind === 'png' || kind === 'bmp') return png;
  if (kind === 'webp') return webp;
  if (kind === 'tiff' && !isForBrowser) return tiff;
  return hasAlpha ? png : jpeg;
}

/**
 * Makes a small upright picture in sRGB without metadata. Throws {@link UnreadablePictureError}, {@link
 * PictureTooLargeError}, and the library's errors for broken pictures.
 */
export async function decodePicture(bytes: Buffer, request: DecodeRequest): Promise<EncodedPicture> {
  const { picture, hasAlpha } = await open(bytes, request);
  const edge = boxPx[request.size];
  const form = outputFormat(request, hasAlpha);
  const resized =
    request.size === 'thumb'
      ? picture.resize(edge, edge, { fit: 'cover', position: 'center' })
      : picture.resize(edge, edge, { fit: 'inside', withoutEnlargement: true });
  const flat = form === jpeg && hasAlpha ? resized.flatten({ background: '#ffffff' }) : resized;
  const output = form
    .encode(flat.toColourspace('srgb'))
    .timeout({ seconds: Math.ceil(decodeTimeoutMs / 1000) });
  return { mediaType: form.mediaType, bytes: await output.toBuffer() };
}
