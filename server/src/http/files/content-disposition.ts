import { replaceEscapedBytes } from '@filestead/contract/paths/raw-names';

/** Characters that the existing API leaves as they are in `filename*` (§1.7), besides those `encodeURIComponent` keeps. */
const kept = /%(?:24|26|2B|3D|3A|40)/g;
/** Characters that `encodeURIComponent` keeps and RFC 8187 does not allow. */
const notAllowed = /[!'()*]/g;
/** What a plain `filename` may hold: printable ASCII without the quoting and escaping characters. */
const notPlain = /[^\x20-\x7e]|["%\\/;]/g;

const encodeName = (name: string): string =>
  encodeURIComponent(name)
    .replace(kept, (escape) => decodeURIComponent(escape))
    .replace(notAllowed, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The `Content-Disposition` of a file: the exact name in the form of RFC 8187, then an ASCII fallback for old clients.
 * Always one valid header line, whatever the name holds. Bytes that are not UTF-8 become `_`: no header can name them.
 */
export function contentDisposition(kind: 'attachment' | 'inline', name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1).toWellFormed();
  const base = replaceEscapedBytes(last, (bytes) => '_'.repeat(bytes.length));
  return `${kind}; filename*=utf-8''${encodeName(base)}; filename="${base.replace(notPlain, '_')}"`;
}
