import type * as endpoints from '@filestead/contract/commands';
import type { ErrorCode } from '@filestead/contract/errors';
import type { Rule } from '@filestead/contract/rules';
import type { User } from '@filestead/contract/users';
import { type VirtualPath, parsePath, rootPath } from '@filestead/contract/paths/virtual-path';
import type { Clock } from '../clock.ts';
import { AppError, isAppError } from '../errors.ts';
import { assertFolder } from '../storage/assert-folder.ts';
import type { UserContext } from '../access/user-context.ts';
import { auditAction } from '../http/server/audit.ts';
import { clientAddress } from '../http/request/client-address.ts';
import type { SocketCall } from '../http/server/route-socket.ts';
import { auditArguments } from './audit-arguments.ts';
import { type CommandRunner, runCommand, type CommandResult } from './run-command.ts';
import type { LineSink } from './run-program.ts';

/** The socket on which a user sends a command line. */
export type CommandCall = Pick<
  SocketCall<typeof endpoints.runCommand>,
  'userContext' | 'requested' | 'request' | 'reauthenticate'
>;

/** The parts of the server that {@link runForSocket} uses. */
export interface CommandParts {
  readonly runner: CommandRunner;
  /** Returns the rules that apply to all users. */
  readonly rules: () => readonly Rule[];
  readonly clock: Clock;
}

/** Whether a user's commands may change files: only with all permissions that the same changes through the API require. */
const mayWrite = ({ perm }: User): boolean => perm.create && perm.modify && perm.rename && perm.delete;

/**
 * Returns the paths that rules deny, so that the sandbox can cover them. Regular expressions and hidden names are not
 * covered, because that would require a search of the whole tree.
 */
async function deniedPaths(userContext: UserContext, rules: readonly Rule[]): Promise<VirtualPath[]> {
  const storage = await userContext.storage();
  const denied = new Set<VirtualPath>();
  for (const rule of [...rules, ...userContext.user.rules]) {
    const { path } = parsePath(rule.path);
    if (rule.regex || rule.allow || path === rootPath || denied.has(path)) continue;
    try {
      await storage.stat(path);
    } catch (error) {
      if (!isAppError(error, 'forbidden')) throw error;
      denied.add(path);
    }
  }
  return [...denied];
}

/** Interval of the permission checks while a command runs. */
const permissionCheckMs = 2_000;

/** Checks permissions repeatedly. `lost` is aborted when the session ends or the user loses a permission that the command uses. */
function watchPermissions(
  reauthenticate: CommandCall['reauthenticate'],
  userAtStart: User,
  clock: Clock,
): { readonly lost: AbortSignal; end(): void } {
  const lost = new AbortController();
  const check = async (): Promise<void> => {
    const { userContext, release } = await reauthenticate();
    release();
    const { user } = userContext;
    const hasLost =
      user.scope !== userAtStart.scope ||
      (mayWrite(userAtStart) && !mayWrite(user)) ||
      userAtStart.commands.some((command) => !user.commands.includes(command));
    if (hasLost) lost.abort();
  };
  const end = clock.every(permissionCheckMs, () => {
    check().catch((error: unknown) => {
      if (isAppError(error)) lost.abort();
    });
  });
  return { lost: lost.signal, end };
}

/** Runs a command line with the current permissions of its user, and stops it when they are revoked. */
async function runWhileAllowed(
  { requested, reauthenticate }: CommandCall,
  { runner, rules, clock }: CommandParts,
  line: string,
  sink: LineSink,
  signal: AbortSignal,
): Promise<{ result: CommandResult; isRevoked: boolean }> {
  // The session and permissions may have changed since the connection was opened.
  const { userContext, release } = await reauthenticate();
  const watch = watchPermissions(reauthenticate, userContext.user, clock);
  try {
    await assertFolder(await userContext.storage(), requested.path);
    const { user } = userContext;
    const context = {
      allowed: user.commands,
      scope: parsePath(user.scope).path,
      folder: requested.path,
      isWritable: mayWrite(user),
      denied: await deniedPaths(userContext, rules()),
    };
    const result = await runCommand(runner, line, context, sink, AbortSignal.any([signal, watch.lost]));
    return { result, isRevoked: watch.lost.aborted };
  } finally {
    watch.end();
    release();
  }
}

/** The fields of log entries that identify the user and the folder. */
type LogFields = ReturnType<typeof logFieldsOf>;

const logFieldsOf = ({ userContext, requested, request }: CommandCall) => ({
  user: userContext.user.id,
  address: clientAddress(request),
  folder: requested.path,
});

/** Adds a command to the audit log: its result, or the code of the error for which it was refused. */
function recordCommand(
  { requested, request }: CommandCall,
  logFields: LogFields,
  ended: CommandResult | { readonly refusal: ErrorCode },
): void {
  if ('refusal' in ended) {
    auditAction(
      request,
      {
        event: 'command.run',
        outcome: 'refused',
        reason: ended.refusal,
        target: { path: requested.path, command: [], exit: null },
      },
      { fields: logFields, message: 'command: refused' },
    );
    return;
  }
  const { words, ...result } = ended;
  const { reason, exit } = result;
  const command = auditArguments(words);
  auditAction(
    request,
    {
      event: 'command.run',
      outcome: reason === 'ended' ? 'success' : 'refused',
      reason,
      target: { path: requested.path, command, exit },
    },
    { fields: { ...logFields, command, ...result }, message: `command: ${reason}` },
  );
}

/**
 * Runs a command line that a user has sent, and records it in the audit log. Throws the errors of {@link assertFolder},
 * `not_signed_in`, and `forbidden` when the permissions were revoked while the command ran.
 */
export async function runForSocket(
  call: CommandCall,
  parts: CommandParts,
  line: string,
  sink: LineSink,
  signal: AbortSignal,
): Promise<void> {
  const logFields = logFieldsOf(call);
  let ended: Awaited<ReturnType<typeof runWhileAllowed>>;
  try {
    ended = await runWhileAllowed(call, parts, line, sink, signal);
  } catch (error) {
    if (isAppError(error)) recordCommand(call, logFields, { refusal: error.code });
    else call.request.log.error({ ...logFields, err: error }, 'command: failed');
    throw error;
  }
  recordCommand(call, logFields, ended.result);
  // Closes the connection with another code than after a regular end of the program.
  if (ended.isRevoked) throw new AppError('forbidden', 'the permissions for the command were revoked');
}
