import { spawn } from 'node:child_process';
import { killGroup } from '../programs/kill-group.ts';
import { LineSplitter } from './line-splitter.ts';
import { withRawBytes } from './with-raw-bytes.ts';

/** A program ready to be started: no shell is involved. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The server's own when left out. */
  readonly cwd?: string;
  /** Passed on to the program as its descriptor 3; -1 for none. */
  readonly descriptor: number;
}

export interface RunLimits {
  readonly timeoutMs: number;
  /** Of both output streams together. */
  readonly maxOutputBytes: number;
}

/** Who gets the output. */
export interface LineSink {
  /** Takes a line; tells whether it has room for more. */
  write(line: string): boolean;
  /** Resolves when it has room again. */
  drained(): Promise<void>;
}

export interface Outcome {
  /** Why it is over: by itself, or stopped because of a limit or because nobody listens any more. */
  readonly reason: 'ended' | 'timeout' | 'output' | 'left' | 'not_found' | 'failed';
  /** Null when it was stopped or did not start. */
  readonly exit: number | null;
  readonly bytes: number;
  readonly ms: number;
}

/** Longer lines are cut into pieces of so many characters. */
const maxLineLength = 64 * 1024;
/** What a program has left behind in its group may go on for so long before it is stopped as well. */
const leftoverMs = 100;
/** Whoever has escaped from the group keeps the output open for at most so long. */
const outputCloseMs = 1_000;

/**
 * Runs a program without input in a process group of its own and hands its output on line by line while it runs; reading
 * pauses while the sink has no room. Resolves when the program and its output are over; `signal` stops it.
 */
export function runProgram(
  launch: Launch,
  { timeoutMs, maxOutputBytes }: RunLimits,
  sink: LineSink,
  signal: AbortSignal,
): Promise<Outcome> {
  const startedAt = performance.now();
  let reason: Outcome['reason'] = signal.aborted ? 'left' : 'ended';
  let bytes = 0;
  const outcome = (exit: number | null): Outcome => ({
    reason,
    exit: reason === 'ended' ? exit : null,
    bytes,
    ms: Math.round(performance.now() - startedAt),
  });
  if (signal.aborted) return Promise.resolve(outcome(null));

  return new Promise((resolve) => {
    const { file, args, env } = withRawBytes(launch);
    const child = spawn(file, args, {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...(launch.descriptor < 0 ? [] : [launch.descriptor])],
      ...(launch.cwd === undefined ? {} : { cwd: launch.cwd }),
    });
    const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
    const stop = (why: Outcome['reason']): void => {
      if (reason === 'ended') reason = why;
      killGroup(child);
      for (const stream of streams) stream.resume();
    };
    const onAbort = (): void => stop('left');
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => stop('timeout'), timeoutMs);
    let leftover: NodeJS.Timeout | undefined;
    const finish = (exit: number | null): void => {
      clearTimeout(timer);
      clearTimeout(leftover);
      signal.removeEventListener('abort', onAbort);
      resolve(outcome(exit));
    };

    let waiting = 0;
    const waitForSink = async (): Promise<void> => {
      waiting += 1;
      for (const stream of streams) stream.pause();
      await sink.drained();
      waiting -= 1;
      for (const stream of streams) stream.resume();
    };
    for (const stream of streams) {
      let hasRoom = true;
      const splitter = new LineSplitter(maxLineLength, (line) => {
        if (reason !== 'left') hasRoom = sink.write(line);
      });
      stream.on('data', (chunk: Buffer) => {
        if (reason !== 'ended') return;
        const rest = Math.max(0, maxOutputBytes - bytes);
        bytes += chunk.length;
        splitter.push(chunk.length > rest ? chunk.subarray(0, rest) : chunk);
        if (bytes > maxOutputBytes) stop('output');
        else if (!hasRoom) void waitForSink();
      });
      stream.once('end', () => splitter.end());
      stream.on('error', () => undefined);
    }
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid !== undefined) return;
      reason = error.code === 'ENOENT' ? 'not_found' : 'failed';
      finish(null);
    });
    const endOutput = (): void => {
      // Output that waits for a slow listener is not lost; the time limit ends the waiting.
      if (waiting > 0) leftover = setTimeout(endOutput, outputCloseMs);
      else for (const stream of streams) stream.destroy();
    };
    child.once('exit', () => {
      leftover = setTimeout(() => {
        killGroup(child);
        leftover = setTimeout(endOutput, outputCloseMs);
      }, leftoverMs);
    });
    child.once('close', finish);
  });
}
