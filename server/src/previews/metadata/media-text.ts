/** Maximum length of a string from the header of a file, in UTF-16 code units. */
const maxTextLength = 200;

/** Control characters, and marks that would change the direction of the text around. */
// oxlint-disable-next-line no-control-regex
const unwanted = /[\0-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Returns `text` from a file without control characters, shortened; undefined when nothing remains. */
export function cleanText(text: string): string | undefined {
  const end = text.indexOf('\0');
  const cleaned = (end < 0 ? text : text.slice(0, end))
    .slice(0, 4 * maxTextLength)
    .toWellFormed()
    .replaceAll(unwanted, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return cleaned === '' ? undefined : cleaned.slice(0, maxTextLength).toWellFormed();
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8, or Latin-1 where the bytes are not UTF-8. */
export function decodeText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
