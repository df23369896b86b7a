import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex, Readable, Writable } from 'node:stream';

/** Resolves when `sink` has processed the piece; rejects when it fails or closes. */
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
  // A piece is valid only until the next one is requested.
  for await (const piece of source) await write(sink, piece);
  sink.end();
}

/** Writes `source` to `to` and yields the output of `from`. `stop` ends both when either side fails or the reader stops. */
async function* pipeThrough(
  source: AsyncIterable<Uint8Array>,
  { to, from, stop }: { to: Writable; from: Readable; stop: (error?: Error) => void },
): AsyncGenerator<Uint8Array> {
  // Destroying `from` with the error of the writing side makes the loop below throw it.
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

/** Pipes `source` through a transform stream. */
export function throughStream(source: AsyncIterable<Uint8Array>, stream: Duplex): AsyncGenerator<Uint8Array> {
  stream.on('error', () => undefined);
  return pipeThrough(source, { to: stream, from: stream, stop: (error) => stream.destroy(error) });
}

/** A running program whose input and output are pipes. */
export interface Filter extends ChildProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

/** Starts an installed program that converts its input to its output; null when it is not installed. */
export function startFilter(command: string, args: readonly string[]): Promise<Filter | null> {
  const program = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
  });
  return new Promise((resolve) => {
    program.on('error', () => resolve(null));
    program.once('spawn', () => resolve(program));
  });
}

/** Pipes `source` through a program; throws when it exits with another code than 0. */
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
    yield* pipeThrough(source, {
      to: program.stdin,
      from: program.stdout,
      stop(error) {
        if (error !== undefined) program.stdout.destroy(error);
      },
    });
    const code = await exited;
    if (code !== 0) throw new Error(`${program.spawnfile} exited with ${code ?? 'a signal'}`);
    hasEnded = true;
  } finally {
    if (!hasEnded) stop();
  }
}
