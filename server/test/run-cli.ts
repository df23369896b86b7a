import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { findCommand } from '../src/cli/find-command.ts';
import { runCommandLine } from '../src/cli/run-command-line.ts';
import { type Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { programNode } from './run-main.ts';

/** The output and exit status of a command. */
export interface CliResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
  /** The bytes that it wrote to standard output; in a separate process they include the lines of `out`. */
  readonly bytes: Buffer;
}

/** A served folder in which commands are run. */
export interface TestCli {
  /** The served folder; the data is in `.filestead` inside. */
  readonly folder: string;
  readonly databasePath: string;
  /** @param given `cwd` is the served folder by default */
  run(
    args: readonly string[],
    given?: { stdin?: string; env?: Record<string, string>; cwd?: string },
  ): Promise<CliResult>;
  /** Runs a command that has to succeed, and returns its output. */
  succeed(...args: string[]): Promise<string>;
  /** Opens the database. */
  inspect<T>(work: (database: Database) => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

/** The folder and the environment of a command. */
interface CommandEnvironment {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
}

/** Runs a command in this process, from its source. */
async function runInProcess(
  args: readonly string[],
  { cwd, home, env, stdin }: CommandEnvironment,
): Promise<CliResult> {
  const command = findCommand(args);
  if (command === undefined) throw new Error(`“${args.join(' ')}” would start the server`);
  const out: string[] = [];
  const err: string[] = [];
  const bytes: Buffer[] = [];
  const status = await runCommandLine(command, {
    env,
    cwd,
    home,
    stdin: Readable.from(stdin === '' ? [] : [stdin]),
    stdout: new Writable({
      write(piece: Buffer, _encoding, done) {
        bytes.push(piece);
        done();
      },
    }),
    print: (text) => void out.push(text),
    warn: (text) => void err.push(text),
  });
  return { status, out: out.join('\n'), err: err.join('\n'), bytes: Buffer.concat(bytes) };
}

/** Runs a command of the program at `path` in a separate process. */
function runProgram(
  path: string,
  args: readonly string[],
  { cwd, home, env, stdin }: CommandEnvironment,
): Promise<CliResult> {
  return new Promise((resolve) => {
    const options = {
      cwd,
      env: { PATH: process.env.PATH ?? '', HOME: home, ...env },
      maxBuffer: 64 * 1024 * 1024,
      encoding: 'buffer',
    } as const;
    const child = execFile(programNode, [path, ...args], options, (_error, bytes, err) =>
      resolve({
        status: child.exitCode ?? 1,
        out: bytes.toString().trimEnd(),
        err: err.toString().trimEnd(),
        bytes,
      }),
    );
    child.stdin?.end(stdin);
  });
}

/** Creates a folder for commands; remove it after the test. Uses the program that `FILESTEAD_PROGRAM` names, if any. */
export async function openCli(): Promise<TestCli> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'filestead-cli-')));
  const folder = join(top, 'root');
  await mkdir(folder);
  const databasePath = join(folder, '.filestead', 'filestead.db');
  const run: TestCli['run'] = async (args, { stdin = '', env = {}, cwd = folder } = {}) => {
    const program = process.env.FILESTEAD_PROGRAM;
    const environment = { cwd, home: top, env, stdin };
    return program === undefined ? runInProcess(args, environment) : runProgram(program, args, environment);
  };
  return {
    folder,
    databasePath,
    run,
    async succeed(...args) {
      const { status, out, err } = await run(args);
      if (status !== 0) throw new Error(`“${args.join(' ')}” failed: ${err}`);
      return out;
    },
    async inspect(work) {
      const database = await openDatabase(databasePath);
      try {
        return await work(database);
      } finally {
        await database.close();
      }
    },
    remove: () => rm(top, { recursive: true, force: true }),
  };
}
