import { Socket } from 'node:net';
import { maxDecoderMemoryBytes, maxPictureBytes } from '../limits.ts';
import { decodePicture } from './decode-picture.ts';
import { PictureTooLargeError } from './picture-errors.ts';
import { UnopenedPartError, readPart } from './read-part.ts';
import {
  answerDescriptor,
  type DecodeAnswer,
  type DecodeRequest,
  type Message,
  messageHead,
  messageReader,
} from './protocol.ts';

/**
 * The program of a decoder: makes one small picture after the other from what the server has open or sends. It opens nothing
 * else, and no connection. Decoders are written in languages where a mistake can crash or swallow the machine, so they have a process
 * of their own: it may die, and it ends itself when it grows too large.
 */

/** How often the process looks at its own size. */
const memoryCheckMs = 100;

async function answerTo({
  json,
  bytes,
}: Message<DecodeRequest>): Promise<{ answer: DecodeAnswer; bytes: Buffer }> {
  const memoryBytes = (): number => process.memoryUsage.rss();
  try {
    const made = await decodePicture(json.part === null ? bytes : readPart(json.part), json);
    const answer = { outcome: 'made', mediaType: made.mediaType, memoryBytes: memoryBytes() } as const;
    return { answer, bytes: made.bytes };
  } catch (error) {
    if (error instanceof UnopenedPartError)
      return { answer: { outcome: 'unopened', memoryBytes: memoryBytes() }, bytes: Buffer.alloc(0) };
    const isTooLarge =
      error instanceof PictureTooLargeError ||
      (error instanceof Error && error.message.includes('exceeds pixel limit'));
    const outcome = isTooLarge ? 'too_large' : 'unreadable';
    return { answer: { outcome, memoryBytes: memoryBytes() }, bytes: Buffer.alloc(0) };
  }
}

setInterval(() => {
  if (process.memoryUsage.rss() > maxDecoderMemoryBytes) process.kill(process.pid, 'SIGKILL');
}, memoryCheckMs).unref();

/** Not standard output: decoders print what they think of a broken file. */
const answers = new Socket({ fd: answerDescriptor, readable: false });

async function serve(message: Message<DecodeRequest>): Promise<void> {
  const { answer, bytes } = await answerTo(message);
  answers.write(messageHead(answer, bytes.length));
  answers.write(bytes);
}

const onPiece = messageReader<DecodeRequest>(maxPictureBytes, (message) => void serve(message));
process.stdin.on('data', onPiece);
process.stdin.on('end', () => process.exit(0));
