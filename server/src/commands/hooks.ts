import { spawn } from 'node:child_process';
import type { AuditRecord } from '@filestead/contract/audit';
import { joinPaths, parsePath, rootPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import type { FileChange, FileChangeListener } from '../access/file-events.ts';
import { auditRecord } from '../audit/audit-record.ts';
import { AppError } from '../errors.ts';
import { killGroup } from '../programs/kill-group.ts';
import { programEnvironment } from '../programs/program-environment.ts';
import type { DiskPaths } from '../storage/disk/disk-paths.ts';
import { auditArguments } from './audit-arguments.ts';
import { expandVariables } from './expand-variables.ts';
import { CommandLineError, splitCommandLine } from './split-command-line.ts';
import { withRawBytes } from './with-raw-bytes.ts';

/** The dependencies of hooks. */
export interface HookParts {
  readonly places: Pick<DiskPaths, 'pathOf'>;
  /** Returns the current command lines of each event, such as `after_upload`. */
  readonly commands: () => Readonly<Record<string, readonly string[]>>;
  /** Returns the words of a shell that runs each whole line; empty for no shell. */
  readonly shell: () => readonly string[];
  /** The server's own environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of its variables that hooks get in addition to the allow-listed ones. */
  readonly passedOn: readonly string[];
  readonly timeoutMs: number;
  readonly log: FastifyBaseLogger;
}

/** Length of the logged error output of a failing hook: its last characters. */
const maxMessageLength = 2 * 1024;
/** Hooks that run in the background at the same time; others wait in the queue. */
const maxInBackground = 16;
/** Maximum length of that queue. Hooks beyond it are dropped, and logged. */
const maxWaiting = 10_000;

type Trigger = `${'before' | 'after'}_${FileChange['event']}`;

/** Returns the environment variables that describe the change to a hook (docs/reference/filebrowser-api.md §1.16). */
function variablesOf(
  trigger: Trigger,
  change: FileChange,
  places: HookParts['places'],
): Record<string, string> {
  const { user } = change.userContext;
  const scope = parsePath(user.scope).path;
  return {
    FILE: places.pathOf(joinPaths(scope, change.path)),
    SCOPE: user.scope,
    TRIGGER: trigger,
    USERNAME: user.username,
    DESTINATION: places.pathOf(joinPaths(scope, change.destination ?? rootPath)),
  };
}

interface HookExit {
  readonly isSuccess: boolean;
  readonly exit: number | null;
  readonly message: string;
}

/** Runs a hook's program. Only the end of its error output is kept, for the log entry of a failure. */
function run(
  [file, ...args]: readonly [string, ...string[]],
  env: Record<string, string>,
  timeoutMs: number,
): Promise<HookExit> {
  return new Promise((resolve) => {
    let message = '';
    let hasTimedOut = false;
    const start = withRawBytes({ file, args, env });
    const child = spawn(start.file, start.args, {
      env: start.env,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const timer = setTimeout(() => {
      hasTimedOut = true;
      killGroup(child);
    }, timeoutMs);
    timer.unref();
    const finish = (exit: number | null, text: string): void => {
      clearTimeout(timer);
      child.stderr.destroy();
      resolve({ isSuccess: exit === 0, exit, message: text.trim() });
    };
    child.stderr.on('data', (chunk: Buffer) => {
      message = (message + chunk.toString('utf8')).slice(-maxMessageLength);
    });
    child.stderr.on('error', () => undefined);
    child.once('error', (error) => finish(null, error.message));
    // Not 'close': a daemon that a hook starts may keep the error output open indefinitely.
    child.once('exit', (exit) =>
      finish(exit, hasTimedOut ? `stopped after ${timeoutMs / 1000} seconds` : message),
    );
  });
}

/** Returns the program and the arguments of a line. Throws {@link CommandLineError}. */
function wordsOf(
  line: string,
  shell: readonly string[],
  variables: Readonly<Record<string, string>>,
): [string, ...string[]] {
  const [interpreter, ...options] = shell;
  if (interpreter !== undefined) return [interpreter, ...options, line];
  const [file, ...args] = splitCommandLine(line);
  return [file, ...expandVariables(args, variables)];
}

/** Returns the audit record of a hook. A line that could not be run has no words. */
function recordOf(
  trigger: Trigger,
  { userContext: { user }, path, destination }: FileChange,
  { isSuccess, words, exit }: Pick<HookExit, 'isSuccess' | 'exit'> & { readonly words: readonly string[] },
): AuditRecord {
  return auditRecord({
    event: 'hook.run',
    outcome: isSuccess ? 'success' : 'failed',
    reason: isSuccess ? null : 'hook_failed',
    actor: { id: user.id, name: user.username },
    channel: 'event',
    target: {
      trigger,
      path,
      ...(destination === null ? {} : { destination }),
      command: auditArguments(words),
      exit,
    },
  });
}

/** Returns a function that runs tasks in order, at most {@link maxInBackground} at the same time. */
function createQueue(onDropped: () => void): (work: () => Promise<void>) => void {
  const waiting: (() => Promise<void>)[] = [];
  let running = 0;
  const next = (): void => {
    while (running < maxInBackground) {
      const work = waiting.shift();
      if (work === undefined) return;
      running += 1;
      void work().finally(() => {
        running -= 1;
        next();
      });
    }
  };
  return (work) => {
    if (waiting.length >= maxWaiting) return onDropped();
    waiting.push(work);
    next();
  };
}

/**
 * Runs the administrator's commands before and after changes of files. A failure before a change cancels it with
 * `hook_failed`; a failure after it is only logged, because the change is complete. Lines that end with `&` run in the
 * background.
 */
export function openHooks({
  places,
  commands,
  shell,
  environment,
  passedOn,
  timeoutMs,
  log,
}: HookParts): FileChangeListener {
  const inherited = programEnvironment(environment, passedOn);
  const runInBackground = createQueue(() => log.error('hook dropped: too many are waiting'));

  const runLine = async (line: string, trigger: Trigger, change: FileChange): Promise<boolean> => {
    const env = { ...inherited, ...variablesOf(trigger, change, places) };
    const startedAt = performance.now();
    const logFields = { trigger, user: change.userContext.user.id, path: change.path };
    try {
      const words = wordsOf(line, shell(), env);
      const { isSuccess, exit, message } = await run(words, env, timeoutMs);
      const ms = Math.round(performance.now() - startedAt);
      const result = { command: auditArguments(words), exit, ms, ...(isSuccess ? {} : { message }) };
      const audit = recordOf(trigger, change, { isSuccess, words, exit });
      log[isSuccess ? 'info' : 'error'](
        { ...logFields, ...result, audit },
        `hook: ${isSuccess ? 'done' : 'failed'}`,
      );
      return isSuccess;
    } catch (error) {
      const message = error instanceof CommandLineError ? error.message : String(error);
      const audit = recordOf(trigger, change, { isSuccess: false, words: [], exit: null });
      log.error({ ...logFields, message, audit }, 'hook: failed');
      return false;
    }
  };

  const linesOf = (trigger: Trigger): readonly string[] => {
    const all = commands();
    return Object.hasOwn(all, trigger) ? (all[trigger] ?? []) : [];
  };

  const runAll = async (trigger: Trigger, change: FileChange): Promise<boolean> => {
    let hasSucceeded = true;
    for (const untrimmed of linesOf(trigger)) {
      const line = untrimmed.trim();
      if (line === '') continue;
      if (line.endsWith('&')) {
        runInBackground(async () => void (await runLine(line.slice(0, -1).trim(), trigger, change)));
      } else if (!(await runLine(line, trigger, change))) {
        if (trigger.startsWith('before_')) return false;
        hasSucceeded = false;
      }
    }
    return hasSucceeded;
  };

  const runBefore = async (change: FileChange): Promise<void> => {
    if (!(await runAll(`before_${change.event}`, change))) {
      throw new AppError('hook_failed', 'a command that runs before this change failed');
    }
  };
  const runAfter = async (change: FileChange): Promise<void> => {
    await runAll(`after_${change.event}`, change);
  };
  const hasLines = (trigger: Trigger): boolean => linesOf(trigger).length > 0;
  return {
    actsBefore: (event) => hasLines(`before_${event}`),
    before: (change) => (hasLines(`before_${change.event}`) ? runBefore(change) : undefined),
    after: (change) => (hasLines(`after_${change.event}`) ? runAfter(change) : undefined),
  };
}
