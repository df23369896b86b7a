// Imported only for texts that are not UTF-8.
import chardet from 'chardet';
import { decodeWhole, isKnownEncoding } from './open-decoder.ts';

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

/** Confidence, of 100, from which a guess of an East Asian encoding needs no further evidence. */
const sureConfidence = 50;
const isEastAsian = (name: string): boolean => /^(?:Shift_JIS|EUC-|Big5|GB)/.test(name);

/**
 * Whether a guess misreads accented letters as East Asian characters: some bytes are then invalid, or each such
 * character is alone and some are beside Latin letters, such as `gr廲e` for `größe`.
 */
function misreadsLatin(
  sample: Uint8Array,
  { name, confidence }: { name: string; confidence: number },
): boolean {
  if (confidence >= sureConfidence || !isEastAsian(name)) return false;
  // The last character may be truncated with the sample.
  const text = decodeWhole(sample, name).replace(/\uFFFD$/, '');
  if (text.includes('\uFFFD')) return true;
  return !/[^\p{ASCII}]{2}/u.test(text) && /[a-z][^\p{ASCII}]|[^\p{ASCII}][a-z]/iu.test(text);
}

/** Guesses the encoding of a text that is not UTF-8, from a sample. Returns its name in lower case. */
export function guessEncoding(text: Uint8Array): string {
  const sample = sampleOf(text);
  if (isDamagedUtf8(sample)) return 'utf-8';
  const guess = chardet
    .analyse(sample)
    .find(
      (found) =>
        found.confidence >= minConfidence && !isUnlikely(found.name) && !misreadsLatin(sample, found),
    );
  const name = supersets.get(guess?.name ?? '') ?? guess?.name ?? fallback;
  return (isKnownEncoding(name) ? name : fallback).toLowerCase();
}
