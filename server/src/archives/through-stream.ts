import type { ChildProcess } from 'node:child_process';
import type { Duplex, Readable, Writable } from 'node:stream';

/** Resolves when `sink` is done with the piece, rejects when it never will be. */
function write(sink: Writable, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(new Error('the stream was closed'));
    sink.once('close', onClose);
    sink.write(piece, (error) => {
      sink.off('close', onClose);
      if (error) reject(error);
      else resolve();
    });
  });
}

async function feed(source: AsyncIterable<Uint8Array>, sink: Writable): Promise<void> {
  // A piece is valid only until the next one is asked for.
  for await (const piece of source) await write(sink, piece);
  sink.end();
}

/** What comes out at `from` of what is fed in at `to`; `stop` ends both when either side fails or the reader leaves. */
async function* passing(
  source: AsyncIterable<Uint8Array>,
  { to, from, stop }: { to: Writable; from: Readable; stop: (error?: Error) => void },
): AsyncGenerator<Uint8Array> {
  // Ending `from` with the error of the other side is what makes the loop below throw it.
  const feeding = feed(source, to).catch((error: unknown) => {
    stop(error instanceof Error ? error : new Error(String(error)));
    throw error;
  });
  feeding.catch(() => undefined);
  try {
    for await (const piece of from as AsyncIterable<Uint8Array>) yield piece;
    await feeding;
  } finally {
    stop();
  }
}

/** Sends `source` through a transforming stream. */
export function throughStream(source: AsyncIterable<Uint8Array>, stream: Duplex): AsyncGenerator<Uint8Array> {
  stream.on('error', () => undefined);
  return passing(source, { to: stream, from: stream, stop: (error) => stream.destroy(error) });
}

/** A started program with pipes at both ends. */
export interface Filter extends ChildProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

/** Sends `source` through a program; throws when it does not end well. */
export async function* throughProgram(
  source: AsyncIterable<Uint8Array>,
  program: Filter,
): AsyncGenerator<Uint8Array> {
  const exited = new Promise<number | null>((resolve) => {
    program.once('close', resolve);
  });
  program.stdin.on('error', () => undefined);
  const stop = (): void => {
    program.stdin.destroy();
    program.stdout.destroy();
    program.kill('SIGKILL');
  };
  let hasEnded = false;
  try {
    yield* passing(source, {
      to: program.stdin,
      from: program.stdout,
      stop(error) {
        if (error !== undefined) program.stdout.destroy(error);
      },
    });
    const code = await exited;
    if (code !== 0) throw new Error(`${program.spawnfile} ended with ${code ?? 'a signal'}`);
    hasEnded = true;
  } finally {
    if (!hasEnded) stop();
  }
}
