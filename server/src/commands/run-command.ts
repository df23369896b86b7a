import { isAppError } from '../errors.ts';
import type { Launcher, RequestedProgram } from './launcher.ts';
import { type LineSink, type Outcome, type RunLimits, runProgram } from './run-program.ts';
import { CommandLineError, splitCommandLine } from './split-command-line.ts';

/** The scope, folder and permissions that a command runs with. */
export interface CommandContext extends Omit<RequestedProgram, 'words'> {
  /** The exact names of the programs that the user may run. */
  readonly allowed: readonly string[];
}

/** The launcher and limits of the commands of this server. */
export interface CommandRunner {
  readonly launcher: Launcher;
  readonly limits: RunLimits;
  /** Returns the words of a shell that runs the whole line; used only without a sandbox. */
  readonly shell: () => readonly string[];
}

/** The result of a command line. */
export interface CommandResult {
  readonly reason: Outcome['reason'] | 'unreadable' | 'refused' | 'no_sandbox' | 'no_folder';
  readonly words: readonly string[];
  readonly exit: number | null;
  readonly bytes: number;
  readonly ms: number;
}

/** Parses a line into its words and the program that has to be allowed. Throws {@link CommandLineError}. */
function parseLine(
  line: string,
  shell: readonly string[],
): { program: string; words: [string, ...string[]] } {
  const [interpreter, ...options] = shell;
  if (interpreter === undefined) {
    const words = splitCommandLine(line);
    return { program: words[0], words };
  }
  const [program = ''] = line.trim().split(/\s+/);
  return { program, words: [interpreter, ...options, line] };
}

/** Whether a program is allowed: by its name or absolute path. A relative path could be a user's file. */
const isAllowed = (program: string, allowed: readonly string[]): boolean =>
  allowed.includes(program) && (!program.includes('/') || program.startsWith('/'));

/** The messages of the starting tools when the program does not exist. */
const missingProgram = /^(?:bwrap: execvp|prlimit: failed to execute) (.+): No such file or directory$/;

const notFound = (program: string): string => `exec: "${program}": executable file not found in $PATH`;

/** Returns the last line for the client when the program did not end regularly; null when it did. */
function finalLine(
  outcome: Outcome,
  { timeoutMs, maxOutputBytes }: RunLimits,
  program: string,
): string | null {
  if (outcome.reason === 'timeout') return `Stopped after ${timeoutMs / 1000} seconds.`;
  if (outcome.reason === 'output') return `Stopped after ${maxOutputBytes} bytes of output.`;
  if (outcome.reason === 'not_found') return notFound(program);
  if (outcome.reason === 'failed') return `exec: "${program}": the program cannot be started`;
  return null;
}

/**
 * Runs one command line for a user, if it is allowed, and writes its output to `sink`. Reasons for not running it are
 * written there, too (docs/reference/filebrowser-api.md §1.15). `signal` stops the command.
 */
export async function runCommand(
  { launcher, limits, shell }: CommandRunner,
  line: string,
  { allowed, ...location }: CommandContext,
  sink: LineSink,
  signal: AbortSignal,
): Promise<CommandResult> {
  const refuse = (
    reason: CommandResult['reason'],
    text: string,
    words: readonly string[] = [],
  ): CommandResult => {
    sink.write(text);
    return { reason, words, exit: null, bytes: 0, ms: 0 };
  };
  if (launcher.kind === 'none') {
    return refuse(
      'no_sandbox',
      'Commands cannot run on this server: the sandbox (bubblewrap) is missing or does not work.',
    );
  }
  let parsed: ReturnType<typeof parseLine>;
  try {
    parsed = parseLine(line, launcher.kind === 'unsandboxed' ? shell() : []);
  } catch (error) {
    if (error instanceof CommandLineError) return refuse('unreadable', error.message);
    throw error;
  }
  const { program, words } = parsed;
  if (!isAllowed(program, allowed)) return refuse('refused', 'Command not allowed.', words);
  let prepared: Awaited<ReturnType<Launcher['prepare']>>;
  try {
    prepared = await launcher.prepare({ ...location, words });
  } catch (error) {
    if (!isAppError(error, 'not_found', 'not_a_folder', 'external_link', 'forbidden')) throw error;
    return refuse('no_folder', 'The folder no longer exists.', words);
  }
  const translatingSink: LineSink = {
    write: (text) => sink.write(missingProgram.test(text) ? notFound(program) : text),
    drained: () => sink.drained(),
  };
  try {
    const outcome = await runProgram(prepared, limits, translatingSink, signal);
    const last = finalLine(outcome, limits, program);
    if (last !== null) sink.write(last);
    return { ...outcome, words };
  } finally {
    prepared.release();
  }
}
