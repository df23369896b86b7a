import { unzip, type UnzipFileInfo } from 'fflate';
import { TooLargeError } from '../loading/load-bytes.ts';

/** What the files of a document may take together once unpacked. */
const limitBytes = 128 * 1024 * 1024;
/** Most files in one document. */
const mostFiles = 10_000;

/** The files of a document that is a zip archive (EPUB, docx, xlsx), by their names. */
export type Unpacked = Readonly<Record<string, Uint8Array<ArrayBuffer>>>;

/**
 * Unpacks what `isWanted` names. No file gets more room than the archive announces, and all together no more than a
 * limit: {@link TooLargeError}. Throws other errors for damaged archives.
 */
export function unpack(
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
  isWanted: (name: string) => boolean = () => true,
): Promise<Unpacked> {
  return new Promise((resolve, reject) => {
    let count = 0;
    let total = 0;
    let isOverLimit = false;
    const filter = ({ name, originalSize }: UnzipFileInfo): boolean => {
      if (isOverLimit || name.endsWith('/') || !isWanted(name)) return false;
      count += 1;
      total += originalSize;
      isOverLimit = count > mostFiles || total > limitBytes;
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

/** A file of an archive as text; null when it is not there. */
export const textIn = (files: Unpacked, name: string): string | null =>
  Object.hasOwn(files, name) && files[name] ? utf8.decode(files[name]) : null;

/** A file of an archive as XML; null when it is not there. Throws for what is no XML. */
export function xmlIn(files: Unpacked, name: string): Document | null {
  const text = textIn(files, name);
  if (text === null) return null;
  const parsed = new DOMParser().parseFromString(text, 'application/xml');
  if (parsed.getElementsByTagName('parsererror').length > 0) throw new Error(`${name} is no XML.`);
  return parsed;
}

/** The file that a relative address in the file `from` means. */
export function resolveName(written: string, from: string): string {
  const base = new URL(`http://archive/${from.split('/').map(encodeURIComponent).join('/')}`);
  const { pathname } = new URL(written, base);
  try {
    return decodeURIComponent(pathname.slice(1));
  } catch {
    return pathname.slice(1);
  }
}
