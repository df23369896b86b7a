import { bytesOfName, hasEscapedBytes, replaceEscapedBytes } from '@filestead/contract/paths/raw-names';
import { currentLocale } from '../../../i18n/i18n.ts';

/** The encoding of file names on older systems, by language of the page; elsewhere windows-1252. */
const encodings: Readonly<Record<string, string>> = {
  ar: 'windows-1256',
  cs: 'windows-1250',
  el: 'windows-1253',
  he: 'windows-1255',
  hr: 'windows-1250',
  hu: 'windows-1250',
  ja: 'shift_jis',
  ko: 'euc-kr',
  pl: 'windows-1250',
  ro: 'windows-1250',
  ru: 'windows-1251',
  sk: 'windows-1250',
  tr: 'windows-1254',
  ua: 'windows-1251',
  vi: 'windows-1258',
  'zh-cn': 'gb18030',
  'zh-tw': 'big5',
};

/**
 * Decodes `bytes`, with `_` for characters that a new name may not contain; null when they are invalid in `encoding`.
 */
function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes).replaceAll(/[\p{Cc}/]/gu, '_');
  } catch {
    return null;
  }
}

/**
 * Returns the initial name for renaming an entry: its own, or a suggestion if that is not UTF-8. The bytes are
 * decoded in the encoding that is usual for the language of the page (or `locale`).
 */
export function suggestedName(name: string, locale: string = currentLocale()): string {
  if (!hasEscapedBytes(name)) return name;
  const encoding = encodings[locale] ?? 'windows-1252';
  const decodeWestern = (bytes: Iterable<number>): string =>
    decode(Uint8Array.from(bytes), 'windows-1252') ?? '_';
  // Beside UTF-8 letters only the invalid bytes are decoded in another encoding.
  const isMixed = /[^\p{ASCII}]/u.test(replaceEscapedBytes(name, () => ''));
  if (isMixed) return replaceEscapedBytes(name, decodeWestern);
  const bytes = bytesOfName(name);
  return decode(bytes, encoding) ?? decodeWestern(bytes);
}
