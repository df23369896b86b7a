import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundledForTests } from '../src/programs/test-script.ts';

const main = new URL('../src/main.ts', import.meta.url).pathname;
const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** The Node that runs the program. */
export const programNode = process.env.FILESTEAD_NODE ?? process.execPath;

const program = process.env.FILESTEAD_PROGRAM ?? bundledForTests('main');

/** The arguments of Node for the program: the one that `FILESTEAD_PROGRAM` names, or a bundle of the current source. */
export const programArgs: readonly string[] = program === undefined ? ['--import', loader, main] : [program];

/** The program in a separate process. */
export interface Run {
  readonly child: ChildProcessWithoutNullStreams;
  /** Its output so far, of both streams. */
  readonly output: () => string;
  /** Resolves to its exit status; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Resolves to the first match in the output. Throws when the program ends before. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts programs in a separate folder. */
export interface Runs {
  /** The folder around the served one. */
  readonly folder: string;
  readonly root: string;
  /** Runs Filestead in the served folder. */
  run(...args: string[]): Run;
  /** Runs another program in the folder. */
  spawn(command: string, args: readonly string[]): Run;
  /** Ends all programs and removes the folder. */
  remove(): Promise<void>;
}

function follow(child: ChildProcessWithoutNullStreams): Run {
  let output = '';
  const listeners = new Set<() => void>();
  const onChunk = (chunk: Buffer): void => {
    output += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', onChunk);
  child.stderr.on('data', onChunk);
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return {
    child,
    output: () => output,
    ended,
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(output);
          if (match === null) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        void ended.then(() => reject(new Error(`never printed ${String(pattern)}: ${output}`)));
        look();
      }),
  };
}

/** Creates a folder for programs; remove it after the test. */
export async function openRuns(): Promise<Runs> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'filestead-run-')));
  const root = join(folder, 'root');
  await mkdir(root);
  const runs: Run[] = [];
  const start: Runs['spawn'] = (command, args) => {
    const env = { PATH: process.env.PATH ?? '', HOME: folder };
    const started = follow(spawn(command, args, { cwd: root, env }));
    runs.push(started);
    return started;
  };
  return {
    folder,
    root,
    run: (...args) => start(programNode, [...programArgs, ...args]),
    spawn: start,
    async remove() {
      for (const { child } of runs) child.kill('SIGKILL');
      await Promise.all(runs.map(({ ended }) => ended));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
