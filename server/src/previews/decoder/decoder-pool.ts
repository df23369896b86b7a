import { decodeTimeoutMs, decoderIdleMs, recycledDecoderMemoryBytes } from '../limits.ts';
import { type Decoder, startDecoder } from './decoder.ts';
import type { DecodeAnswer, DecodeRequest, Message } from './protocol.ts';

/** Lends decoder processes: as many as are asked for at once, which the caller bounds. */
export interface DecoderPool {
  /** Makes a small picture. Throws `DecoderEndedError`: the picture has ended its decoder, or took too long. */
  run(request: DecodeRequest, bytes: Buffer): Promise<Message<DecodeAnswer>>;
  /** Processes that live now. */
  readonly size: number;
  close(): void;
}

interface Resting {
  readonly decoder: Decoder;
  readonly timer: NodeJS.Timeout;
}

/** A pool without processes; they start when they are needed and end when they have nothing to do. */
export function openDecoderPool({ timeoutMs = decodeTimeoutMs, idleMs = decoderIdleMs } = {}): DecoderPool {
  const resting: Resting[] = [];
  const working = new Set<Decoder>();
  let isClosed = false;

  const take = (): Decoder => {
    for (let last = resting.pop(); last !== undefined; last = resting.pop()) {
      clearTimeout(last.timer);
      if (!last.decoder.hasEnded) return last.decoder;
    }
    return startDecoder();
  };

  const giveBack = (decoder: Decoder, memoryBytes: number): void => {
    if (isClosed || decoder.hasEnded || memoryBytes > recycledDecoderMemoryBytes) {
      decoder.end();
      return;
    }
    const timer = setTimeout(() => {
      const position = resting.findIndex((other) => other.decoder === decoder);
      if (position >= 0) resting.splice(position, 1);
      decoder.end();
    }, idleMs);
    timer.unref();
    resting.push({ decoder, timer });
  };

  return {
    get size() {
      return resting.filter(({ decoder }) => !decoder.hasEnded).length + working.size;
    },
    async run(request, bytes) {
      const decoder = take();
      working.add(decoder);
      // A decoder whose answer never came is not used again.
      let memoryBytes = Infinity;
      try {
        const message = await decoder.run(request, bytes, timeoutMs);
        memoryBytes = message.json.memoryBytes;
        return message;
      } finally {
        working.delete(decoder);
        giveBack(decoder, memoryBytes);
      }
    },
    close() {
      isClosed = true;
      for (const { decoder, timer } of resting.splice(0)) {
        clearTimeout(timer);
        decoder.end();
      }
      for (const decoder of working) decoder.end();
    },
  };
}
