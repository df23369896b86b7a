import { extensionOf } from '../paths/virtual-path.ts';

/** A picture format, identified by the extension of its files. */
export interface PictureFormat {
  /** The media type, if it is needed by name or missing in the common table. */
  readonly mediaType?: `image/${string}`;
  /**
   * The program that displays the original: every browser, a decoder of the page, or none of them; then only a picture
   * that the server generates is shown, if at all. Absent if it depends on the browser.
   */
  readonly shownBy?: 'browser' | 'page' | 'server';
  /** Whether the server decodes it. It recognizes the format by the content and reports any other content as broken. */
  readonly isDecoded?: true;
  /** Whether it is a camera RAW format, from which the server extracts the embedded picture. */
  readonly isRaw?: true;
}

const raw = { shownBy: 'server', isRaw: true } as const;

/** Every format by its extension. Of several extensions of a media type the usual one is first. */
const formats = {
  jpg: { mediaType: 'image/jpeg', shownBy: 'browser', isDecoded: true },
  jpeg: { mediaType: 'image/jpeg', shownBy: 'browser', isDecoded: true },
  jfif: { mediaType: 'image/pjpeg', shownBy: 'browser', isDecoded: true },
  png: { mediaType: 'image/png', shownBy: 'browser', isDecoded: true },
  apng: { mediaType: 'image/apng', shownBy: 'browser', isDecoded: true },
  gif: { shownBy: 'browser' },
  webp: { mediaType: 'image/webp', shownBy: 'browser', isDecoded: true },
  avif: { mediaType: 'image/avif', shownBy: 'browser', isDecoded: true },
  bmp: { mediaType: 'image/bmp', shownBy: 'browser', isDecoded: true },
  ico: { shownBy: 'browser' },
  svg: { shownBy: 'browser' },
  jxl: {},
  tif: { mediaType: 'image/tiff', shownBy: 'page', isDecoded: true },
  tiff: { mediaType: 'image/tiff', shownBy: 'page', isDecoded: true },
  heic: { mediaType: 'image/heic', shownBy: 'server', isDecoded: true },
  heif: { mediaType: 'image/heif', shownBy: 'server', isDecoded: true },
  heics: { mediaType: 'image/heic-sequence', shownBy: 'server', isDecoded: true },
  heifs: { mediaType: 'image/heif-sequence', shownBy: 'server', isDecoded: true },
  jp2: { shownBy: 'server' },
  j2k: { shownBy: 'server' },
  jpf: { shownBy: 'server' },
  psd: { shownBy: 'server' },
  psb: { shownBy: 'server' },
  ai: {},
  eps: {},
  xcf: {},
  '3fr': raw,
  arw: { ...raw, mediaType: 'image/x-sony-arw' },
  cr2: { mediaType: 'image/x-canon-cr2', shownBy: 'page', isRaw: true },
  cr3: { ...raw, mediaType: 'image/x-canon-cr3' },
  crw: { mediaType: 'image/x-canon-crw', shownBy: 'server' },
  dng: { shownBy: 'page', isRaw: true },
  erf: raw,
  fff: raw,
  iiq: raw,
  mef: raw,
  mos: raw,
  nef: { mediaType: 'image/x-nikon-nef', shownBy: 'page', isRaw: true },
  nrw: { ...raw, mediaType: 'image/x-nikon-nrw' },
  orf: { ...raw, mediaType: 'image/x-olympus-orf' },
  pef: { ...raw, mediaType: 'image/x-pentax-pef' },
  raf: { ...raw, mediaType: 'image/x-fuji-raf' },
  raw: { shownBy: 'server' },
  rw2: { ...raw, mediaType: 'image/x-panasonic-rw2' },
  rwl: raw,
  sr2: { ...raw, mediaType: 'image/x-sony-arw' },
  srf: raw,
  srw: { ...raw, mediaType: 'image/x-samsung-srw' },
  x3f: { shownBy: 'server' },
} as const satisfies Readonly<Record<string, PictureFormat>>;

/** All formats by extension, in lower case and without the dot. */
export const pictureFormats: ReadonlyMap<string, PictureFormat> = new Map(Object.entries(formats));

/** Returns the format of a file by its name; undefined if it is not one of the table. */
export const pictureFormatOf = (name: string): PictureFormat | undefined =>
  pictureFormats.get(extensionOf(name).slice(1).toLowerCase());

/** Returns the usual extension of a media type with its dot, such as `.jpg`; empty for other types. */
export function extensionOfPictureType(mediaType: string): string {
  const found = [...pictureFormats].find(([, format]) => format.mediaType === mediaType);
  return found === undefined ? '' : `.${found[0]}`;
}
