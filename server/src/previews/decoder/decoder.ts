import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundledForTests } from '../../programs/test-script.ts';
import { maxFrameBytes, maxPictureBytes } from '../limits.ts';
import {
  responseDescriptor,
  type DecodeResponse,
  type DecodeRequest,
  type Message,
  messageHead,
  messageReader,
} from './protocol.ts';

/** Maximum size of a decoder's response. */
const maxResponseBytes = Math.max(maxFrameBytes, 16 * 1024 * 1024);

/** The process ended without a response: it crashed, grew too large, or was killed because of the time limit. */
export class DecoderEndedError extends Error {
  override readonly name: string = 'DecoderEndedError';
}

/** The process cannot run on this machine: it failed before its first response, because its library is missing or does not load. */
export class DecoderStartError extends DecoderEndedError {
  override readonly name = 'DecoderStartError';
}

/** Explains a {@link DecoderStartError}. */
export const missingLibrary = {
  text: `thumbnails and previews of pictures cannot be made: libvips does not start on ${process.platform}-${process.arch}`,
  fix: 'install Filestead again on this machine, without --omit=optional',
} as const;

/** Returns the arguments that start the decoder: the bundled program, or the source with the development loader. */
function programArguments(): string[] {
  if (!import.meta.url.endsWith('.ts'))
    return [fileURLToPath(new URL('./preview-decoder.js', import.meta.url))];
  const bundled = bundledForTests('preview-decoder');
  if (bundled !== undefined) return [bundled];
  const script = fileURLToPath(new URL('./decoder-process.ts', import.meta.url));
  return ['--import', import.meta.resolve('tsx'), script];
}

/** One decoder process. It handles one request at a time. */
export interface Decoder {
  /** Makes a small picture of `bytes`. Throws {@link DecoderEndedError}. */
  run(request: DecodeRequest, bytes: Buffer, timeoutMs: number): Promise<Message<DecodeResponse>>;
  /** Whether the process has ended or was killed. */
  readonly hasEnded: boolean;
  /** Kills the process. */
  end(): void;
}

/** The process does not inherit the server's environment. Fonts are found in their default folders. */
const environment = { LANG: 'C.UTF-8', VIPS_BLOCK_UNTRUSTED: '1', NODE_ENV: 'production' };

/** The request that the decoder is processing. */
interface PendingRequest {
  resolve(message: Message<DecodeResponse>): void;
  reject(error: Error): void;
}

/** Starts a decoder: Node with `args`. It ends when the server ends, however that happens. */
export function startDecoder(args: readonly string[] = programArguments()): Decoder {
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: '/',
    env: environment,
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
  let pending: PendingRequest | null = null;
  let hasEnded = false;
  let hasResponded = false;

  const onEnd = (code: number | null): void => {
    hasEnded = true;
    // A crash in a picture ends with a signal.
    const hasFailedToStart = code !== null && code !== 0 && !hasResponded;
    pending?.reject(
      hasFailedToStart
        ? new DecoderStartError(missingLibrary.text)
        : new DecoderEndedError('the decoder ended'),
    );
    pending = null;
  };
  const end = (): void => {
    hasEnded = true;
    child.kill('SIGKILL');
  };
  const onPiece = messageReader<DecodeResponse>(maxResponseBytes, (message) => {
    hasResponded = true;
    pending?.resolve(message);
    pending = null;
  });
  child.stdio[responseDescriptor]?.on('data', (piece: Buffer) => {
    try {
      onPiece(piece);
    } catch {
      end();
    }
  });
  child.once('error', () => onEnd(null));
  child.once('exit', onEnd);
  // Write errors of a process that has just ended; its `exit` event is handled above.
  child.stdin?.on('error', () => undefined);

  return {
    get hasEnded() {
      return hasEnded;
    },
    end,
    async run(request, bytes, timeoutMs) {
      if (hasEnded) throw new DecoderEndedError('the decoder has ended');
      if (bytes.length > maxPictureBytes) throw new RangeError('the picture is larger than the limit');
      const timer = setTimeout(end, timeoutMs);
      try {
        return await new Promise((resolve, reject) => {
          pending = { resolve, reject };
          child.stdin?.write(messageHead(request, bytes.length));
          child.stdin?.write(bytes);
        });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
