import { Socket } from 'node:net';
import { maxDecoderMemoryBytes, maxPictureBytes } from '../limits.ts';
import { decodePicture } from './decode-picture.ts';
import { PictureTooLargeError } from './picture-errors.ts';
import { UnopenedPartError, readPart } from './read-part.ts';
import {
  responseDescriptor,
  type DecodeResponse,
  type DecodeRequest,
  type Message,
  messageHead,
  messageReader,
} from './protocol.ts';

/**
 * The program of a decoder process: makes one preview after the other from open files or bytes that the server
 * sends. It opens no other files and no connections. Decoders are written in memory-unsafe languages and may crash or
 * exhaust memory, so they run in a separate process, which ends itself when it grows too large.
 */

/** Interval at which the process checks its memory use. */
const memoryCheckMs = 100;

async function respondTo({
  json,
  bytes,
}: Message<DecodeRequest>): Promise<{ response: DecodeResponse; bytes: Buffer }> {
  const memoryBytes = (): number => process.memoryUsage.rss();
  try {
    const picture = await decodePicture(json.part === null ? bytes : readPart(json.part), json);
    const response = { outcome: 'made', mediaType: picture.mediaType, memoryBytes: memoryBytes() } as const;
    return { response, bytes: picture.bytes };
  } catch (error) {
    if (error instanceof UnopenedPartError)
      return { response: { outcome: 'unopened', memoryBytes: memoryBytes() }, bytes: Buffer.alloc(0) };
    const isTooLarge =
      error instanceof PictureTooLargeError ||
      (error instanceof Error && error.message.includes('exceeds pixel limit'));
    const outcome = isTooLarge ? 'too_large' : 'unreadable';
    return { response: { outcome, memoryBytes: memoryBytes() }, bytes: Buffer.alloc(0) };
  }
}

setInterval(() => {
  if (process.memoryUsage.rss() > maxDecoderMemoryBytes) process.kill(process.pid, 'SIGKILL');
}, memoryCheckMs).unref();

/** Responses are not sent over standard output, because decoders print messages about broken files there. */
const responses = new Socket({ fd: responseDescriptor, readable: false });

async function serve(message: Message<DecodeRequest>): Promise<void> {
  const { response, bytes } = await respondTo(message);
  responses.write(messageHead(response, bytes.length));
  responses.write(bytes);
}

const onPiece = messageReader<DecodeRequest>(maxPictureBytes, (message) => void serve(message));
process.stdin.on('data', onPiece);
process.stdin.on('end', () => process.exit(0));
