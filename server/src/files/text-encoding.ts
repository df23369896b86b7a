import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import iconv from 'iconv-lite';

/** So many bytes of a text are looked at to guess its encoding. */
const sampleBytes = 8 * 1024;
/** A guess that is less sure than this is no better than the commonest encoding of the west. Of 100. */
const minConfidence = 10;
/** Text with so many good characters beyond ASCII for each broken one is UTF-8 that was damaged. */
const minGoodPerDamaged = 4;
const fallback = 'windows-1252';

/** The Windows encodings hold all of their older relatives, and are what such files are in most of the time. */
const wider = new Map([
  ['ISO-8859-1', 'windows-1252'],
  ['ISO-8859-8', 'windows-1255'],
  ['ISO-8859-9', 'windows-1254'],
]);

/** What is told by other signs, or never meant by those who have plain text files. */
const isUnlikely = (name: string): boolean => /^(?:ASCII|UTF-|ISO-2022-)/.test(name);

/** The encoding of a text by the mark at its beginning; null without one. */
function markedEncoding(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

const lineFeed = 0x0a;
/** So much plain ASCII of a line goes before its first other byte. */
const contextBytes = 16;

/** The lines of a text that are not plain ASCII, as far as the sample goes: all others tell nothing. */
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

/** Whether a sample is UTF-8 but for a few bytes. */
function isDamagedUtf8(sample: Uint8Array): boolean {
  const text = new TextDecoder().decode(sample);
  const damaged = text.match(/\uFFFD/g)?.length ?? 0;
  const good = (text.match(/[^\p{ASCII}]/gu)?.length ?? 0) - damaged;
  return good > 0 && good >= minGoodPerDamaged * damaged;
}

/** Guesses by what a sample looks like. */
function guessEncoding(text: Uint8Array): string {
  const sample = sampleOf(text);
  if (isDamagedUtf8(sample)) return 'utf-8';
  const guess = chardet
    .analyse(sample)
    .find(({ name, confidence }) => confidence >= minConfidence && !isUnlikely(name));
  const name = wider.get(guess?.name ?? '') ?? guess?.name ?? fallback;
  return (iconv.encodingExists(name) ? name : fallback).toLowerCase();
}

/** How a text is to be read. */
export interface TextEncoding {
  /** In lower case. */
  readonly name: string;
  /** What is read can be saved as UTF-8 and is then the same bytes. */
  readonly isFaithful: boolean;
}

/** Tells the encoding of a whole text: UTF-8 when it is, by its mark, or by its looks. */
export function encodingOf(text: Uint8Array): TextEncoding {
  const marked = markedEncoding(text);
  if (marked === null && isUtf8(text)) return { name: 'utf-8', isFaithful: true };
  return { name: marked ?? guessEncoding(text), isFaithful: false };
}

/** So many bytes are decoded at a time; about 1 ms. */
const stepBytes = 256 * 1024;

/** Decodes a text step by step. The mark at the beginning of UTF-8 stays, so that saving brings it back. */
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
