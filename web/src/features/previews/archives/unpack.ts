import { unzip, type UnzipFileInfo } from 'fflate';
import { TooLargeError } from '../loading/load-bytes.ts';

/** Maximum total size of the unpacked files of a document. */
const limitBytes = 128 * 1024 * 1024;
/** Maximum number of files in one document. */
const maxFiles = 10_000;

/** The unpacked files of a document that is a zip archive (EPUB, docx, xlsx), by name. */
export type Unpacked = Readonly<Record<string, Uint8Array<ArrayBuffer>>>;

/**
 * Unpacks the files for which `accepts` returns true. No file takes more memory than the archive declares, and all
 * together no more than a limit; {@link TooLargeError} is thrown beyond it, and other errors for damaged archives.
 */
export function unpack(
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
  accepts: (name: string) => boolean = () => true,
): Promise<Unpacked> {
  return new Promise((resolve, reject) => {
    let count = 0;
    let total = 0;
    let isOverLimit = false;
    const filter = ({ name, originalSize }: UnzipFileInfo): boolean => {
      if (isOverLimit || name.endsWith('/') || !accepts(name)) return false;
      count += 1;
      total += originalSize;
      isOverLimit = count > maxFiles || total > limitBytes;
      return !isOverLimit;
    };
    const stop = unzip(bytes, { filter }, (error, files) => {
      if (isOverLimit) reject(new TooLargeError());
      else if (error) reject(error);
      else resolve(files as Unpacked);
    });
    signal.addEventListener('abort', () => {
      stop();
      reject(signal.reason);
    });
  });
}

const utf8 = new TextDecoder();

/** Returns a file of an archive as text, or null when it does not exist. */
export const unpackedText = (files: Unpacked, name: string): string | null =>
  Object.hasOwn(files, name) && files[name] ? utf8.decode(files[name]) : null;

/** Returns a file of an archive as XML, or null when it does not exist. Throws for malformed XML. */
export function unpackedXml(files: Unpacked, name: string): Document | null {
  const text = unpackedText(files, name);
  if (text === null) return null;
  const parsed = new DOMParser().parseFromString(text, 'application/xml');
  if (parsed.getElementsByTagName('parsererror').length > 0)
    throw new Error(`${name} is not well-formed XML.`);
  return parsed;
}

/** Returns the elements with a local name, in any namespace. */
export const elementsNamed = (within: Document | Element, name: string): Element[] => [
  ...within.getElementsByTagNameNS('*', name),
];

/** Resolves a relative address in the file `from` to the name of a file. */
export function resolveName(href: string, from: string): string {
  const base = new URL(`http://archive/${from.split('/').map(encodeURIComponent).join('/')}`);
  const { pathname } = new URL(href, base);
  try {
    return decodeURIComponent(pathname.slice(1));
  } catch {
    return pathname.slice(1);
  }
}
