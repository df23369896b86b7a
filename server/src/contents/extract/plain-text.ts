import { looksBinary, mayBeText, sniffedBytes } from '../../media-types/media-type.ts';
import { decodeText, encodingOf } from '../../media-types/text-encoding.ts';
import type { TextSink } from './text-sink.ts';

/**
 * Adds a text in any encoding; nothing if the beginning of the file is not text.
 *
 * @param isKnown whether the extension says that the file is text
 */
export async function addPlainText(bytes: Uint8Array, sink: TextSink, isKnown: boolean): Promise<void> {
  const head = bytes.subarray(0, sniffedBytes);
  if (isKnown ? !mayBeText(head) : looksBinary(head)) return;
  const encoding = await encodingOf(bytes);
  for (const part of decodeText(bytes, encoding)) {
    sink.add(part);
    if (sink.isFull) return;
  }
}
