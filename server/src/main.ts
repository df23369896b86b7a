import { homedir } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { CommanderError } from 'commander';
import { type FoundCommand, findCommand } from './cli/find-command.ts';
import { readConfig } from './config/config.ts';
import { readStoredOptions } from './database/read-stored-options.ts';
import { explainError } from './start/explain-error.ts';
import { loadProgram } from './start/bundle/load-program.ts';
import { setUmask } from './start/safe-umask.ts';

/** Runs a command of the command line. Its code is loaded only when needed. */
async function runCommand(found: FoundCommand): Promise<void> {
  const { runCommandLine } = await import('./cli/run-command-line.ts');
  process.exitCode = await runCommandLine(found, {
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    // Many commands read nothing, and loading the stream takes time.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    print: (text) => process.stdout.write(`${text}\n`),
    warn: (text) => process.stderr.write(`${text}\n`),
  });
}

async function run(): Promise<void> {
  // Collections of young objects by one thread: on busy processors V8 waits longer for its helper threads than they save (docs/decisions/0045).
  // Set before any code is compiled, because a code cache is valid for the same flags only.
  setFlagsFromString('--no-parallel-scavenge');
  const config = await readConfig({
    args: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    readStored: readStoredOptions,
  });
  setUmask(config.umask);
  const { serve } = await loadProgram(config.data);
  await serve(config);
}

setUmask(null);
const command = findCommand(process.argv.slice(2));
try {
  await (command === undefined ? run() : runCommand(command));
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode);
  process.stderr.write(`filestead: ${explainError(error)}\n`);
  process.exit(1);
}
