import { isUtf8 } from 'node:buffer';
import { utf16ByMark } from './byte-order-mark.ts';
import { openDecoder as openForeignDecoder, type ChunkDecoder } from './open-decoder.ts';

/** The encoding of a text. */
export interface TextEncoding {
  /** In lower case. */
  readonly name: string;
  /** Whether saving the decoded text as UTF-8 restores the same bytes. */
  readonly isFaithful: boolean;
  readonly openDecoder: () => ChunkDecoder;
}

/** Creates a decoder of UTF-8. The byte order mark is kept, so that saving restores it. */
function openUtf8Decoder(): ChunkDecoder {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return { write: (chunk) => decoder.decode(chunk, { stream: true }), end: () => decoder.decode() };
}

/** Detects the encoding of a text: UTF-8 if it is valid, otherwise by its byte order mark, otherwise by a guess. */
export async function encodingOf(text: Uint8Array): Promise<TextEncoding> {
  const marked = utf16ByMark(text);
  if (marked === null && isUtf8(text))
    return { name: 'utf-8', isFaithful: true, openDecoder: openUtf8Decoder };
  const { guessEncoding } = await import('./foreign-encoding.ts');
  const name = marked ?? guessEncoding(text);
  const openDecoder = name === 'utf-8' ? openUtf8Decoder : () => openForeignDecoder(name);
  return { name, isFaithful: false, openDecoder };
}

/** Bytes that are decoded at a time; about 1 ms. */
const chunkBytes = 256 * 1024;

/** Decodes a text in chunks. */
export function* decodeText(text: Uint8Array, encoding: TextEncoding): Generator<string> {
  const decoder = encoding.openDecoder();
  for (let start = 0; start < text.length; start += chunkBytes)
    yield decoder.write(text.subarray(start, start + chunkBytes));
  yield decoder.end();
}
