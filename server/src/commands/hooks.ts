import { spawn } from 'node:child_process';
import type { AuditRecord } from '@filestead/contract/audit';
import { joinPaths, parsePath, rootPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import type { FileChange, FileChangeListener } from '../access/file-events.ts';
import { auditRecord } from '../audit/audit-record.ts';
import { AppError } from '../errors.ts';
import { killGroup } from '../programs/kill-group.ts';
import { programEnvironment } from '../programs/program-environment.ts';
import type { DiskPlaces } from '../storage/disk/disk-places.ts';
import { auditArguments } from './audit-arguments.ts';
import { expandVariables } from './expand-variables.ts';
import { CommandLineError, splitCommandLine } from './split-command-line.ts';
import { withRawBytes } from './with-raw-bytes.ts';

/** What hooks need to know of the server. */
export interface HookParts {
  readonly places: Pick<DiskPlaces, 'pathOf'>;
  /** The lines of each event, such as `after_upload`, as they are now. */
  readonly commands: () => Readonly<Record<string, readonly string[]>>;
  /** The words of a shell that gets each line whole; empty for none. */
  readonly shell: () => readonly string[];
  /** The server's own environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Variables of it that hooks get besides the allow-listed ones. */
  readonly passedOn: readonly string[];
  readonly timeoutMs: number;
  readonly log: FastifyBaseLogger;
}

/** Of what a failing hook has to say so much is logged, in bytes. */
const maxMessageBytes = 2 * 1024;
/** So many hooks in the background run at the same time; the others wait for their turn. */
const maxInBackground = 16;
/** So many may wait; more are dropped, with a line in the log. */
const maxWaiting = 10_000;

type Trigger = `${'before' | 'after'}_${FileChange['event']}`;

/** What a hook is told, through its environment (docs/reference/filebrowser-api.md §1.16). */
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

interface Ended {
  readonly isGood: boolean;
  readonly exit: number | null;
  readonly message: string;
}

/** Runs a program of the administrator; its output is only looked at for what it says when it fails. */
function run(
  [file, ...args]: readonly [string, ...string[]],
  env: Record<string, string>,
  timeoutMs: number,
): Promise<Ended> {
  return new Promise((resolve) => {
    let message = '';
    let isLate = false;
    const start = withRawBytes({ file, args, env });
    const child = spawn(start.file, start.args, {
      env: start.env,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const timer = setTimeout(() => {
      isLate = true;
      killGroup(child);
    }, timeoutMs);
    timer.unref();
    const finish = (exit: number | null, text: string): void => {
      clearTimeout(timer);
      child.stderr.destroy();
      resolve({ isGood: exit === 0, exit, message: text.trim() });
    };
    child.stderr.on('data', (chunk: Buffer) => {
      message = (message + chunk.toString('utf8')).slice(-maxMessageBytes);
    });
    child.stderr.on('error', () => undefined);
    child.once('error', (error) => finish(null, error.message));
    // Not its output's end: a daemon that a hook starts may keep that open for ever.
    child.once('exit', (exit) =>
      finish(exit, isLate ? `stopped after ${timeoutMs / 1000} seconds` : message),
    );
  });
}

/** Runs what it is given, at most so many at once, in order. */
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
 * Runs the administrator's commands around changes of files. One that fails before a change cancels it with `hook_failed`;
 * one that fails after it is logged, for the change was made and stays. Lines that end with `&` are not waited for.
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
  const inBackground = createQueue(() => log.error('hook: too many wait for their turn, one was dropped'));

  const runLine = async (line: string, trigger: Trigger, change: FileChange): Promise<boolean> => {
    const variables = variablesOf(trigger, change, places);
    const env = { ...inherited, ...variables };
    const startedAt = performance.now();
    const about = { trigger, user: change.userContext.user.id, path: change.path };
    const recordOf = (isGood: boolean, words: readonly string[], exit: number | null): AuditRecord =>
      auditRecord({
        event: 'hook.run',
        outcome: isGood ? 'success' : 'failed',
        reason: isGood ? null : 'hook_failed',
        actor: { id: change.userContext.user.id, name: change.userContext.user.username },
        door: 'event',
        target: {
          trigger,
          path: change.path,
          ...(change.destination === null ? {} : { destination: change.destination }),
          command: auditArguments(words),
          exit,
        },
      });
    try {
      const [interpreter, ...options] = shell();
      const [file, ...args] =
        interpreter === undefined ? splitCommandLine(line) : [interpreter, ...options, line];
      const words: [string, ...string[]] = [
        file,
        ...(interpreter === undefined ? expandVariables(args, env) : args),
      ];
      const { isGood, exit, message } = await run(words, env, timeoutMs);
      const ms = Math.round(performance.now() - startedAt);
      const facts = { ...about, command: auditArguments(words), exit, ms, ...(isGood ? {} : { message }) };
      const audit = recordOf(isGood, words, exit);
      log[isGood ? 'info' : 'error']({ ...facts, audit }, `hook: ${isGood ? 'done' : 'failed'}`);
      return isGood;
    } catch (error) {
      const message = error instanceof CommandLineError ? error.message : String(error);
      log.error({ ...about, message, audit: recordOf(false, [], null) }, 'hook: failed');
      return false;
    }
  };

  const runAll = async (trigger: Trigger, change: FileChange): Promise<boolean> => {
    const all = commands();
    const lines = Object.hasOwn(all, trigger) ? (all[trigger] ?? []) : [];
    let isGood = true;
    for (const given of lines) {
      const line = given.trim();
      if (line === '') continue;
      if (line.endsWith('&')) {
        inBackground(async () => void (await runLine(line.slice(0, -1).trim(), trigger, change)));
      } else if (!(await runLine(line, trigger, change))) {
        if (trigger.startsWith('before_')) return false;
        isGood = false;
      }
    }
    return isGood;
  };

  return {
    async before(change) {
      if (!(await runAll(`before_${change.event}`, change))) {
        throw new AppError('hook_failed', 'a command that runs before this change did not agree to it');
      }
    },
    async after(change) {
      await runAll(`after_${change.event}`, change);
    },
  };
}
