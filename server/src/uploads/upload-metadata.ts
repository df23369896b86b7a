import { joinPaths, parentOf, parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';

const base64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses `Upload-Metadata`: pairs separated by commas, each a key and, after a space, its value in Base64 (tus 1.0,
 * Creation). Values are decoded as UTF-8. Throws `bad_request`.
 */
export function parseMetadata(header: string): ReadonlyMap<string, string> {
  const metadata = new Map<string, string>();
  for (const pair of header.split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(' ');
    if (key === '' && header.trim() === '') continue;
    if (key === '' || more.length > 0 || !base64.test(value)) {
      throw new AppError('bad_request', 'Upload-Metadata: expected keys with values in Base64');
    }
    try {
      metadata.set(key, utf8.decode(Buffer.from(value, 'base64')));
    } catch (error) {
      throw new AppError('bad_request', `Upload-Metadata: ${key.slice(0, 32)} is not UTF-8`, {
        cause: error,
      });
    }
  }
  return metadata;
}

/**
 * Returns the target of an upload to `folder` by its metadata: `filename` (or `name`), below the folders of
 * `relativePath` if there are any. Clients send `relativePath` as "null" for none. Throws `bad_request` and
 * `invalid_path`.
 */
export function fileNamedBy(metadata: ReadonlyMap<string, string>, folder: VirtualPath): VirtualPath {
  const relative = metadata.get('relativePath') ?? '';
  const inner = relative.includes('/') ? parsePath(relative) : null;
  const name = metadata.get('filename') ?? metadata.get('name') ?? '';
  const named = parsePath(name);
  if (name !== '' && !named.isFolderPath) {
    return joinPaths(
      joinPaths(folder, inner === null ? parsePath('/').path : parentOf(inner.path)),
      named.path,
    );
  }
  if (name === '' && inner !== null && !inner.isFolderPath) return joinPaths(folder, inner.path);
  throw new AppError(
    'bad_request',
    'a folder cannot be uploaded; name the file in the address or as filename in Upload-Metadata',
  );
}

/** Optional properties of an upload, which the page sends as metadata. */
export interface UploadProperties {
  readonly modifiedMs: number | null;
  readonly clientKey: string | null;
  readonly folder: { readonly id: string; readonly file: string } | null;
}

/** The maximum length of keys of clients and of ids of folder uploads, in characters. */
const maxKeyLength = 64;
/** The maximum length of a path in a folder on the user's machine, in characters. */
const maxFileLength = 8192;

/** The names of the properties. Other metadata may be malformed, because some clients send metadata for other servers. */
const propertyName = /(?:^|,)\s*(?:modifiedMs|uploadKey|folderUpload|folderFile)\b/;

/** Returns the properties in `Upload-Metadata`. Throws `bad_request` for malformed ones. */
export function propertiesIn(header: string): UploadProperties {
  const metadata = propertyName.test(header) ? parseMetadata(header) : new Map<string, string>();
  const textOf = (key: string, maxLength: number): string | null => {
    const text = metadata.get(key) ?? null;
    if (text === null) return null;
    if (text.length > 0 && text.length <= maxLength && text.isWellFormed() && !text.includes('\0'))
      return text;
    throw new AppError('bad_request', `Upload-Metadata: ${key}: expected 1 to ${maxLength} characters`);
  };
  const modified = metadata.get('modifiedMs') ?? null;
  if (modified !== null && !/^\d{1,15}(?:\.\d{1,6})?$/.test(modified))
    throw new AppError('bad_request', 'Upload-Metadata: modifiedMs: expected Unix milliseconds');
  const [id, file] = [textOf('folderUpload', maxKeyLength), textOf('folderFile', maxFileLength)];
  return {
    modifiedMs: modified === null ? null : Number(modified),
    clientKey: textOf('uploadKey', maxKeyLength),
    folder: id === null || file === null ? null : { id, file },
  };
}
