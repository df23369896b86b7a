import { untilAborted } from '../../until-aborted.ts';
import { syscalls } from '../paths/syscalls.ts';
import { Flusher } from './flusher.ts';

/** Number of bytes that are collected before they are written, because many small writes are slow. */
const batchBytes = 1024 * 1024;
/** The maximum number of buffers per call (IOV_MAX of Linux). */
const maxPieces = 1024;

/** Writes all of `pieces`; the system may need several calls. */
async function writeAll(descriptor: number, pieces: Uint8Array[], position: number): Promise<void> {
  let rest = pieces;
  let offset = position;
  while (rest.length > 0) {
    const { bytesWritten } = await syscalls.writev(descriptor, rest, offset);
    offset += bytesWritten;
    let done = bytesWritten;
    let writtenPieces = 0;
    for (
      let piece = rest[writtenPieces];
      piece !== undefined && done >= piece.byteLength;
      piece = rest[++writtenPieces]
    )
      done -= piece.byteLength;
    const first = rest[writtenPieces];
    if (first === undefined) return;
    rest = [first.subarray(done), ...rest.slice(writtenPieces + 1)];
  }
}

/** Options of {@link receive}. */
export interface ReceiveOptions {
  /** The offset (bytes) at which to write, which is the end of the file; defaults to 0. */
  readonly position?: number;
  /** Whether the collected bytes are also written when the source fails. */
  readonly keepsPart?: boolean;
  /** Whether the last bytes are flushed before it resolves; true by default. */
  readonly flushesEnd?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called at intervals with the number of bytes that have been flushed to the disk. */
  readonly onStored?: ((position: number) => void) | undefined;
}

/**
 * Appends `source` to the file `descriptor` and flushes it. While one batch is being written the next one is collected,
 * without copying: a chunk must not be changed after it was yielded.
 */
export async function receive(
  descriptor: number,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions = {},
): Promise<void> {
  let { position = 0 } = options;
  const flusher = new Flusher(descriptor, position, options.onStored);
  let pieces: Uint8Array[] = [];
  let collectedBytes = 0;
  let writing: Promise<void> = Promise.resolve();
  const writeBatch = (): void => {
    writing = writeAll(descriptor, pieces, position);
    writing.catch(() => undefined);
    position += collectedBytes;
    pieces = [];
    collectedBytes = 0;
  };
  try {
    try {
      for await (const chunk of untilAborted(source, options.signal)) {
        if (chunk.byteLength === 0) continue;
        pieces.push(chunk);
        collectedBytes += chunk.byteLength;
        if (collectedBytes < batchBytes && pieces.length < maxPieces) continue;
        await writing;
        flusher.wrote(position);
        writeBatch();
      }
    } catch (error) {
      if (options.keepsPart === true) {
        await writing;
        writeBatch();
        await writing;
        await syscalls.fdatasync(descriptor);
      }
      throw error;
    }
    await writing;
    if (collectedBytes > 0) writeBatch();
    await writing;
  } finally {
    // No write or flush may be running when the caller closes the descriptor.
    await writing.catch(() => undefined);
    await flusher.settled();
  }
  if (options.flushesEnd !== false) await syscalls.fdatasync(descriptor);
}
