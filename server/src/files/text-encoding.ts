import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import iconv from 'iconv-lite';

/** Size of the sample from which the encoding of a text is guessed. */
const sampleBytes = 8 * 1024;
/** Minimum confidence of a guess, of 100. Below it the fallback is as likely. */
const minConfidence = 10;
/** Minimum ratio of valid to invalid non-ASCII characters in a text that counts as damaged UTF-8. */
const minValidPerInvalid = 4;
const fallback = 'windows-1252';

/** The Windows encodings that are supersets of ISO encodings. Files in the latter are mostly in the former. */
const supersets = new Map([
  ['ISO-8859-1', 'windows-1252'],
  ['ISO-8859-8', 'windows-1255'],
  ['ISO-8859-9', 'windows-1254'],
]);

/** Whether an encoding is detected by other means, or not used for plain text files. */
const isUnlikely = (name: string): boolean => /^(?:ASCII|UTF-|ISO-2022-)/.test(name);

/** Returns the encoding by the byte order mark of UTF-16; null without one. */
function markedEncoding(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

const lineFeed = 0x0a;
/** ASCII bytes of a line that the sample contains before the first other byte. */
const contextBytes = 16;

/** Returns a sample of the lines that are not plain ASCII. Other lines are the same in all encodings. */
function sampleOf(text: Uint8Array): Uint8Array {
  const sample = Buffer.allocUnsafe(sampleBytes);
  let filled = 0;
  let lineStart = 0;
  for (let position = 0; position < text.length && filled < sampleBytes; position++) {
    const byte = text[position] ?? 0;
    if (byte === lineFeed) lineStart = position + 1;
    if (byte < 0x80) continue;
    const end = text.indexOf(lineFeed, position);
    const start = Math.max(lineStart, position - contextBytes);
    const line = text.subarray(start, Math.min(end < 0 ? text.length : end, start + sampleBytes - filled));
    sample.set(line, filled);
    filled += line.length;
    position = end < 0 ? text.length : end - 1;
  }
  return sample.subarray(0, filled);
}

/** Whether a sample is UTF-8 with a few invalid bytes. */
function isDamagedUtf8(sample: Uint8Array): boolean {
  const text = new TextDecoder().decode(sample);
  const invalid = text.match(/\uFFFD/g)?.length ?? 0;
  const valid = (text.match(/[^\p{ASCII}]/gu)?.length ?? 0) - invalid;
  return valid > 0 && valid >= minValidPerInvalid * invalid;
}

/** Confidence, of 100, from which a guess of an East Asian encoding needs no further sign. */
const sureConfidence = 50;
const isEastAsian = (name: string): boolean => /^(?:Shift_JIS|EUC-|Big5|GB)/.test(name);

/**
 * Whether a guess takes letters with accents for East Asian characters: some bytes are then invalid, or each such
 * character is alone and some are beside Latin letters, such as `gr廲e` for `größe`.
 */
function misreadsLatin(
  sample: Uint8Array,
  { name, confidence }: { name: string; confidence: number },
): boolean {
  if (confidence >= sureConfidence || !isEastAsian(name)) return false;
  // The last character may be truncated with the sample.
  const text = iconv.decode(Buffer.from(sample), name).replace(/\uFFFD$/, '');
  if (text.includes('\uFFFD')) return true;
  return !/[^\p{ASCII}]{2}/u.test(text) && /[a-z][^\p{ASCII}]|[^\p{ASCII}][a-z]/iu.test(text);
}

/** Guesses the encoding from a sample. */
function guessEncoding(text: Uint8Array): string {
  const sample = sampleOf(text);
  if (isDamagedUtf8(sample)) return 'utf-8';
  const guess = chardet
    .analyse(sample)
    .find(
      (found) =>
        found.confidence >= minConfidence && !isUnlikely(found.name) && !misreadsLatin(sample, found),
    );
  const name = supersets.get(guess?.name ?? '') ?? guess?.name ?? fallback;
  return (iconv.encodingExists(name) ? name : fallback).toLowerCase();
}

/** The encoding of a text. */
export interface TextEncoding {
  /** In lower case. */
  readonly name: string;
  /** Whether saving the decoded text as UTF-8 restores the same bytes. */
  readonly isFaithful: boolean;
}

/** Detects the encoding of a text: UTF-8 if it is valid, otherwise by its byte order mark, otherwise by a guess. */
export function encodingOf(text: Uint8Array): TextEncoding {
  const marked = markedEncoding(text);
  if (marked === null && isUtf8(text)) return { name: 'utf-8', isFaithful: true };
  return { name: marked ?? guessEncoding(text), isFaithful: false };
}

/** Bytes that are decoded at a time; about 1 ms. */
const stepBytes = 256 * 1024;

/** Decodes a text in chunks. The byte order mark of UTF-8 is kept, so that saving restores it. */
export function* decodeText(text: Uint8Array, encoding: string): Generator<string> {
  const decoder =
    encoding === 'utf-8' ? new TextDecoder('utf-8', { ignoreBOM: true }) : iconv.getDecoder(encoding);
  for (let start = 0; start < text.length; start += stepBytes) {
    const step = text.subarray(start, start + stepBytes);
    yield decoder instanceof TextDecoder
      ? decoder.decode(step, { stream: true })
      : decoder.write(Buffer.from(step.buffer, step.byteOffset, step.byteLength));
  }
  yield decoder instanceof TextDecoder ? decoder.decode() : (decoder.end() ?? '');
}
