import { bytesOfName, hasEscapedBytes, replaceEscapedBytes } from '@filestead/contract/paths/raw-names';
import { currentLocale } from '../../../i18n/i18n.ts';

/** The encoding that file names of older systems have where these languages are spoken; elsewhere windows-1252. */
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

/** `bytes` as text, with `_` for what cannot be a part of a new name; null when they are no text in `encoding`. */
function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes).replaceAll(/[\p{Cc}/]/gu, '_');
  } catch {
    return null;
  }
}

/**
 * The name to begin with when an entry is renamed: its own, or a proposal where that is not UTF-8. The bytes are read in the
 * encoding that is usual where the language of the page (or `locale`) is spoken.
 */
export function suggestedName(name: string, locale: string = currentLocale()): string {
  if (!hasEscapedBytes(name)) return name;
  const encoding = encodings[locale] ?? 'windows-1252';
  const western = (bytes: Iterable<number>): string => decoded(Uint8Array.from(bytes), 'windows-1252') ?? '_';
  // Beside letters of UTF-8 only the foreign bytes are read in another encoding.
  const isMixed = /[^\p{ASCII}]/u.test(replaceEscapedBytes(name, () => ''));
  if (isMixed) return replaceEscapedBytes(name, western);
  const bytes = bytesOfName(name);
  return decoded(bytes, encoding) ?? western(bytes);
}
