import { spawn } from 'node:child_process';
import { killGroup } from '../programs/kill-group.ts';
import { LineSplitter } from './line-splitter.ts';
import { withRawBytes } from './with-raw-bytes.ts';

/** A program to start, without a shell. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Working folder; that of the server when omitted. */
  readonly cwd?: string;
  /** File descriptor that the program inherits as descriptor 3; -1 for none. */
  readonly descriptor: number;
}

/** Limits of a running program. */
export interface RunLimits {
  readonly timeoutMs: number;
  /** Limit of both output streams together. */
  readonly maxOutputBytes: number;
}

/** Receives the output of a program. */
export interface LineSink {
  /** Writes a line; returns whether there is room for more. */
  write(line: string): boolean;
  /** Resolves when there is room again. */
  drained(): Promise<void>;
}

/** The end of a program. */
export interface Outcome {
  /** The program ended by itself, exceeded a limit, was stopped by its signal (`left`), or did not start. */
  readonly reason: 'ended' | 'timeout' | 'output' | 'left' | 'not_found' | 'failed';
  /** Exit code; null when the program was stopped or did not start. */
  readonly exit: number | null;
  readonly bytes: number;
  readonly ms: number;
}

/** Longer lines are split into pieces of this many characters. */
const maxLineLength = 64 * 1024;
/** Time after which processes that a program left behind in its process group are killed. */
const leftoverMs = 100;
/** Time for which processes that escaped from the process group can keep the output open. */
const outputCloseMs = 1_000;

/**
 * Runs a program without input, in a new process group, and passes its output to `sink` line by line. Reading pauses while
 * the sink has no room. Resolves when the program and its output have ended; `signal` stops it.
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
    const stop = (stopReason: Outcome['reason']): void => {
      if (reason === 'ended') reason = stopReason;
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
        const remaining = Math.max(0, maxOutputBytes - bytes);
        bytes += chunk.length;
        splitter.push(chunk.length > remaining ? chunk.subarray(0, remaining) : chunk);
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
      // Output for a slow sink is kept; the time limit of the program still applies.
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
