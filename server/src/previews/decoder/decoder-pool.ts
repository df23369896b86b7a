import { decodeTimeoutMs, decoderIdleMs, recycledDecoderMemoryBytes } from '../limits.ts';
import { type Decoder, startDecoder } from './decoder.ts';
import type { DecodeResponse, DecodeRequest, Message } from './protocol.ts';

/** Manages decoder processes: as many as there are concurrent requests, which the caller limits. */
export interface DecoderPool {
  /** Makes a small picture. Throws {@link DecoderEndedError} when the decoder crashed, exceeded a limit, or cannot start. */
  run(request: DecodeRequest, bytes: Buffer): Promise<Message<DecodeResponse>>;
  /** Starts processes until there are `count`, so that the first pictures need not wait for them. */
  warmUp(count: number): void;
  /** Number of running processes. */
  readonly size: number;
  /** Ends all processes. */
  close(): void;
}

/** A decoder without a request, and the timer that ends it. */
interface IdleDecoder {
  readonly decoder: Decoder;
  readonly timer: NodeJS.Timeout;
}

/** Opens a pool. Processes are started on demand or in advance, and end when idle. */
export function openDecoderPool({
  timeoutMs = decodeTimeoutMs,
  idleMs = decoderIdleMs,
  start = () => startDecoder(),
}: { timeoutMs?: number; idleMs?: number; start?: () => Decoder } = {}): DecoderPool {
  const idle: IdleDecoder[] = [];
  const working = new Set<Decoder>();
  let isClosed = false;

  const take = (): Decoder => {
    for (let last = idle.pop(); last !== undefined; last = idle.pop()) {
      clearTimeout(last.timer);
      if (!last.decoder.hasEnded) return last.decoder;
    }
    return start();
  };

  const keepIdle = (decoder: Decoder): void => {
    const timer = setTimeout(() => {
      const position = idle.findIndex((other) => other.decoder === decoder);
      if (position >= 0) idle.splice(position, 1);
      decoder.end();
    }, idleMs);
    timer.unref();
    idle.push({ decoder, timer });
  };

  const release = (decoder: Decoder, memoryBytes: number): void => {
    if (isClosed || decoder.hasEnded || memoryBytes > recycledDecoderMemoryBytes) {
      decoder.end();
      return;
    }
    keepIdle(decoder);
  };
  const countRunning = (): number => idle.filter(({ decoder }) => !decoder.hasEnded).length + working.size;

  return {
    warmUp(count) {
      if (isClosed) return;
      for (let running = countRunning(); running < count; running++) keepIdle(start());
    },
    get size() {
      return countRunning();
    },
    async run(request, bytes) {
      const decoder = take();
      working.add(decoder);
      // A decoder that sent no response is not reused.
      let memoryBytes = Infinity;
      try {
        const message = await decoder.run(request, bytes, timeoutMs);
        memoryBytes = message.json.memoryBytes;
        return message;
      } finally {
        working.delete(decoder);
        release(decoder, memoryBytes);
      }
    },
    close() {
      isClosed = true;
      for (const { decoder, timer } of idle.splice(0)) {
        clearTimeout(timer);
        decoder.end();
      }
      for (const decoder of working) decoder.end();
    },
  };
}
