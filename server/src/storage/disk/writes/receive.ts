import { untilAborted } from '../../until-aborted.ts';
import { syscalls } from '../paths/syscalls.ts';
import { Flusher } from './flusher.ts';

/** So many bytes are gathered before they are written: single small writes cost far more than their bytes. */
const gatherBytes = 1024 * 1024;
/** As many pieces as one call takes (IOV_MAX of Linux). */
const maxPieces = 1024;

/** Writes all of `pieces`; the system may take them in several turns. */
async function writeAll(descriptor: number, pieces: Uint8Array[], position: number): Promise<void> {
  let rest = pieces;
  let offset = position;
  while (rest.length > 0) {
    const { bytesWritten } = await syscalls.writev(descriptor, rest, offset);
    offset += bytesWritten;
    let done = bytesWritten;
    let whole = 0;
    for (let piece = rest[whole]; piece !== undefined && done >= piece.byteLength; piece = rest[++whole])
      done -= piece.byteLength;
    const first = rest[whole];
    if (first === undefined) return;
    rest = [first.subarray(done), ...rest.slice(whole + 1)];
  }
}

export interface ReceiveOptions {
  /** Where in the file the source goes, which is the file's end; its beginning when left out. Bytes. */
  readonly position?: number;
  /** Write what has been gathered also when the source breaks off. */
  readonly keepsPart?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Hears now and then up to which byte everything has reached the disk. */
  readonly onStored?: ((position: number) => void) | undefined;
}

/**
 * Appends everything of `source` to the file `descriptor` and flushes it. While one batch is being written the next is
 * gathered, without copying: a chunk must not be changed after it was handed over.
 */
export async function receive(
  descriptor: number,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions = {},
): Promise<void> {
  let { position = 0 } = options;
  const flusher = new Flusher(descriptor, position, options.onStored);
  let pieces: Uint8Array[] = [];
  let gathered = 0;
  let writing: Promise<void> = Promise.resolve();
  const writeBatch = (): void => {
    writing = writeAll(descriptor, pieces, position);
    writing.catch(() => undefined);
    position += gathered;
    pieces = [];
    gathered = 0;
  };
  try {
    try {
      for await (const chunk of untilAborted(source, options.signal)) {
        if (chunk.byteLength === 0) continue;
        pieces.push(chunk);
        gathered += chunk.byteLength;
        if (gathered < gatherBytes && pieces.length < maxPieces) continue;
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
    if (gathered > 0) writeBatch();
    await writing;
  } finally {
    // Nothing may touch the descriptor once the caller closes it.
    await writing.catch(() => undefined);
    await flusher.settled();
  }
  await syscalls.fdatasync(descriptor);
}
