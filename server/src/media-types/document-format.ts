import { extensionOf } from '@filestead/contract/paths/virtual-path';
import { isTextual } from '@filestead/contract/values/media-types';
import { LimitedMap } from '../limited-map.ts';
import { mediaTypeOfExtension } from './media-type.ts';

/** The formats of documents whose text can be extracted. `unknown`: the extension does not say whether the file is text. */
export type DocumentFormat =
  | 'text'
  | 'unknown'
  | 'markup'
  | 'pdf'
  | 'word'
  | 'sheet'
  | 'slides'
  | 'opendocument';

const formats = new Map<string, DocumentFormat>([
  ['pdf', 'pdf'],
  ['docx', 'word'],
  ['docm', 'word'],
  ['dotx', 'word'],
  ['xlsx', 'sheet'],
  ['xlsm', 'sheet'],
  ['xltx', 'sheet'],
  ['pptx', 'slides'],
  ['pptm', 'slides'],
  ['ppsx', 'slides'],
  ['odt', 'opendocument'],
  ['ods', 'opendocument'],
  ['odp', 'opendocument'],
  ['ott', 'opendocument'],
  ['html', 'markup'],
  ['htm', 'markup'],
  ['xhtml', 'markup'],
]);

/** Files of an unknown type above this size are not documents, in bytes. */
const maxUnknownBytes = 1024 * 1024;

/** The maximum size of a document, in bytes: its file is read into memory. */
const maxDocumentBytes = 64 * 1024 * 1024;

const cached = new LimitedMap<string, DocumentFormat | null>(4096);

function formatOfExtension(extension: string): DocumentFormat | null {
  const known = formats.get(extension);
  if (known !== undefined) return known;
  const mediaType = mediaTypeOfExtension(extension);
  if (mediaType === null) return 'unknown';
  return isTextual(mediaType) ? 'text' : null;
}

/** Returns the format of a document by the name and size of its file; null for other, empty and very large files. */
export function documentFormatOf(name: string, size: number): DocumentFormat | null {
  const extension = extensionOf(name).slice(1).toLowerCase();
  let format = cached.get(extension);
  if (format === undefined) {
    format = formatOfExtension(extension);
    cached.set(extension, format);
  }
  const limit = format === 'unknown' ? maxUnknownBytes : maxDocumentBytes;
  return size === 0 || size > limit ? null : format;
}
