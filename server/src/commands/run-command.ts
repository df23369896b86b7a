import { isAppError } from '../errors.ts';
import type { Launcher, WantedProgram } from './launcher.ts';
import { type LineSink, type Outcome, type RunLimits, runProgram } from './run-program.ts';
import { CommandLineError, splitCommandLine } from './split-command-line.ts';

/** What a command may do. */
export interface CommandRights extends Omit<WantedProgram, 'words'> {
  /** Names of programs, exactly. */
  readonly allowed: readonly string[];
}

/** How commands are run on this server. */
export interface CommandRunner {
  readonly launcher: Launcher;
  readonly limits: RunLimits;
  /** The words of a shell that gets the whole line; counts only where commands run without a sandbox. */
  readonly shell: () => readonly string[];
}

/** What became of a command line. */
export interface CommandResult {
  readonly reason: Outcome['reason'] | 'unreadable' | 'refused' | 'no_sandbox' | 'no_folder';
  readonly words: readonly string[];
  readonly exit: number | null;
  readonly bytes: number;
  readonly ms: number;
}

/** The words of a line and the program that has to be allowed for it. Throws {@link CommandLineError}. */
function readLine(line: string, shell: readonly string[]): { program: string; words: [string, ...string[]] } {
  const [interpreter, ...options] = shell;
  if (interpreter === undefined) {
    const words = splitCommandLine(line);
    return { program: words[0], words };
  }
  const [program = ''] = line.trim().split(/\s+/);
  return { program, words: [interpreter, ...options, line] };
}

/** Programs are named plainly or by their whole path; a path below the working folder would be a user's file. */
const isAllowed = (program: string, allowed: readonly string[]): boolean =>
  allowed.includes(program) && (!program.includes('/') || program.startsWith('/'));

/** What the tools that start a program say when there is none of its name. */
const nothingToStart = /^(?:bwrap: execvp|prlimit: failed to execute) (.+): No such file or directory$/;

const notFound = (program: string): string => `exec: "${program}": executable file not found in $PATH`;

function lastWord(
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
 * Runs one command line for a user, when it is allowed, and writes what it prints to `sink`. Everything that keeps it from
 * running is said there too (docs/reference/filebrowser-api.md §1.15). `signal` stops it.
 */
export async function runCommand(
  { launcher, limits, shell }: CommandRunner,
  line: string,
  { allowed, ...wanted }: CommandRights,
  sink: LineSink,
  signal: AbortSignal,
): Promise<CommandResult> {
  const nothing = { words: [], exit: null, bytes: 0, ms: 0 };
  const say = (
    reason: CommandResult['reason'],
    text: string,
    words: readonly string[] = [],
  ): CommandResult => {
    sink.write(text);
    return { ...nothing, reason, words };
  };
  if (launcher.kind === 'none') {
    return say(
      'no_sandbox',
      'Commands cannot run on this server: it has no sandbox (bubblewrap) that works.',
    );
  }
  let read: ReturnType<typeof readLine>;
  try {
    read = readLine(line, launcher.kind === 'unsandboxed' ? shell() : []);
  } catch (error) {
    if (error instanceof CommandLineError) return say('unreadable', error.message);
    throw error;
  }
  const { program, words } = read;
  if (!isAllowed(program, allowed)) return say('refused', 'Command not allowed.', words);
  let prepared: Awaited<ReturnType<Launcher['prepare']>>;
  try {
    prepared = await launcher.prepare({ ...wanted, words });
  } catch (error) {
    if (!isAppError(error, 'not_found', 'not_a_folder', 'external_link', 'forbidden')) throw error;
    return say('no_folder', 'The folder is not there any more.', words);
  }
  const translating: LineSink = {
    write: (text) => sink.write(nothingToStart.test(text) ? notFound(program) : text),
    drained: () => sink.drained(),
  };
  try {
    const outcome = await runProgram(prepared, limits, translating, signal);
    const last = lastWord(outcome, limits, program);
    if (last !== null) sink.write(last);
    return { ...outcome, words };
  } finally {
    prepared.release();
  }
}
