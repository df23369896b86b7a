import { replaceEscapedBytes } from '@filestead/contract/paths/raw-names';

/**
 * Characters that File Browser’s API does not escape in `filename*` (docs/reference/filebrowser-api.md §1.7), in addition to those of
 * `encodeURIComponent`.
 */
const unescapedByApi = /%(?:24|26|2B|3D|3A|40)/g;
/** Characters that `encodeURIComponent` does not escape although RFC 8187 requires it. */
const notAllowed = /[!'()*]/g;
/**
 * Characters not allowed in a plain `filename`: all but printable ASCII, and quoting and escaping characters.
 */
const notPlain = /[^\x20-\x7e]|["%\\/;]/g;

const encodeName = (name: string): string =>
  encodeURIComponent(name)
    .replace(unescapedByApi, (escape) => decodeURIComponent(escape))
    .replace(notAllowed, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Returns the `Content-Disposition` of a file: the exact name in the form of RFC 8187, then an ASCII fallback
 * for old clients. The result is a valid header line for any name. Bytes that are not UTF-8 become `_`,
 * because headers cannot express them.
 */
export function contentDisposition(kind: 'attachment' | 'inline', name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1).toWellFormed();
  const base = replaceEscapedBytes(last, (bytes) => '_'.repeat(bytes.length));
  return `${kind}; filename*=utf-8''${encodeName(base)}; filename="${base.replace(notPlain, '_')}"`;
}
