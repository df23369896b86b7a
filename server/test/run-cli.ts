import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { findCommand } from '../src/cli/find-command.ts';
import { runCommandLine } from '../src/cli/run-command-line.ts';
import { type Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open-database.ts';

/** What a command printed, and its exit status. */
export interface CliResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
  /** What it wrote besides lines. */
  readonly bytes: Buffer;
}

/** A served folder that commands are given in. */
export interface TestCli {
  /** The served folder; the data is in `.filestead` inside. */
  readonly folder: string;
  readonly databasePath: string;
  run(args: readonly string[], given?: { stdin?: string; env?: Record<string, string> }): Promise<CliResult>;
  /** Runs a command that has to succeed, and gives what it printed. */
  must(...args: string[]): Promise<string>;
  /** Looks into the database. */
  inspect<T>(look: (database: Database) => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

/** A new folder to give commands in; remove it after the test. */
export async function openCli(): Promise<TestCli> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'filestead-cli-')));
  const folder = join(top, 'root');
  await mkdir(folder);
  const databasePath = join(folder, '.filestead', 'filestead.db');
  const run: TestCli['run'] = async (args, { stdin = '', env = {} } = {}) => {
    const command = findCommand(args);
    if (command === undefined) throw new Error(`“${args.join(' ')}” would start the server`);
    const out: string[] = [];
    const err: string[] = [];
    const bytes: Buffer[] = [];
    const status = await runCommandLine(command, {
      env,
      cwd: folder,
      home: top,
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
  };
  return {
    folder,
    databasePath,
    run,
    async must(...args) {
      const { status, out, err } = await run(args);
      if (status !== 0) throw new Error(`“${args.join(' ')}” failed: ${err}`);
      return out;
    },
    async inspect(look) {
      const database = await openDatabase(databasePath);
      try {
        return await look(database);
      } finally {
        await database.close();
      }
    },
    remove: () => rm(top, { recursive: true, force: true }),
  };
}
