import type { AuditOutcome } from '@filestead/contract/audit';
import * as endpoints from '@filestead/contract/commands';
import type { Rule } from '@filestead/contract/rules';
import type { User } from '@filestead/contract/users';
import {
  type RequestedPath,
  type VirtualPath,
  parsePath,
  rootPath,
} from '@filestead/contract/paths/virtual-path';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import { AppError, isAppError } from '../errors.ts';
import type { UserContext } from '../access/user-context.ts';
import { auditAction } from '../http/server/audit.ts';
import { clientAddress } from '../http/request/client-address.ts';
import type { Route } from '../http/server/route.ts';
import type { RouteSocket } from '../http/server/route-socket.ts';
import { auditArguments } from './audit-arguments.ts';
import { type CommandRunner, runCommand, type CommandResult } from './run-command.ts';
import { serveSocket } from './socket-session.ts';

/** Limits of commands that run at the same time. Connections that have not sent a command yet count, too. */
export interface CommandCapacity {
  readonly perUser: number;
  readonly all: number;
}

/** Registers a socket endpoint that refuses all users, for servers without command execution. */
export function refuseCommands(app: FastifyInstance, { route }: { route: Route }): void {
  route(app, endpoints.runCommand, () =>
    Promise.reject(new AppError('forbidden', 'the server was started without command execution')),
  );
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

/** Throws `not_found`, `external_link`, `not_a_folder`, `forbidden` unless a command may run in the folder. */
async function assertFolder(userContext: UserContext, { path }: RequestedPath): Promise<void> {
  const folder = await (await userContext.storage()).stat(path);
  if (folder === null) throw new AppError('not_found');
  if (folder.kind === 'invalid_link') throw new AppError('external_link');
  if (folder.kind !== 'folder') throw new AppError('not_a_folder');
}

/** Interval of the permission checks while a command runs. */
const permissionCheckMs = 2_000;

/** Checks permissions repeatedly. `lost` is aborted when the session ends or the user loses a permission that the command uses. */
function watchPermissions(
  reauthenticate: () => Promise<{ readonly userContext: UserContext; readonly release: () => void }>,
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

/** Registers the command socket. */
export function registerCommands(
  app: FastifyInstance,
  parts: {
    routeSocket: RouteSocket;
    runner: CommandRunner;
    capacity: CommandCapacity;
    /** Returns the rules that apply to all users. */
    rules: () => readonly Rule[];
    clock: Clock;
  },
): void {
  const { routeSocket, runner, capacity, rules, clock } = parts;
  const running = new Map<number, number>();
  const countOf = (userId: number): number => running.get(userId) ?? 0;
  const change = (userId: number, by: 1 | -1): void => {
    const count = countOf(userId) + by;
    if (count === 0) running.delete(userId);
    else running.set(userId, count);
  };
  const total = (): number => [...running.values()].reduce((sum, count) => sum + count, 0);

  routeSocket(app, endpoints.runCommand, {
    async beforeHandshake({ userContext, requested, onEnd }) {
      await assertFolder(userContext, requested);
      if (countOf(userContext.user.id) >= capacity.perUser || total() >= capacity.all) {
        throw new AppError('too_many_requests', 'too many commands are running');
      }
      change(userContext.user.id, 1);
      onEnd(() => change(userContext.user.id, -1));
    },
    connected(socket, { userContext: opener, requested, query, request, reauthenticate }) {
      const logFields = { user: opener.user.id, address: clientAddress(request), folder: requested.path };
      const isInBlocks = query.blocks === 'true';
      serveSocket(socket, request.raw.socket, { isInBlocks, clock }, async (line, sink, signal) => {
        let isRecorded = false;
        const record = (
          outcome: AuditOutcome,
          { words, ...result }: Partial<Omit<CommandResult, 'reason'>> & { readonly reason: string },
        ): void => {
          isRecorded = true;
          const command = auditArguments(words ?? []);
          auditAction(
            request,
            {
              event: 'command.run',
              outcome,
              reason: result.reason,
              target: { path: requested.path, command, exit: result.exit ?? null },
            },
            {
              fields: { ...logFields, ...(words === undefined ? {} : { command, ...result }) },
              message: `command: ${words === undefined ? 'refused' : result.reason}`,
            },
          );
        };
        try {
          // The session and permissions may have changed since the connection was opened.
          const { userContext, release } = await reauthenticate();
          const watch = watchPermissions(reauthenticate, userContext.user, clock);
          try {
            await assertFolder(userContext, requested);
            const { user } = userContext;
            const context = {
              allowed: user.commands,
              scope: parsePath(user.scope).path,
              folder: requested.path,
              isWritable: mayWrite(user),
              denied: await deniedPaths(userContext, rules()),
            };
            const stopSignal = AbortSignal.any([signal, watch.lost]);
            const result = await runCommand(runner, line, context, sink, stopSignal);
            record(result.reason === 'ended' ? 'success' : 'refused', result);
            // Closes the connection with another code than after a regular end of the program.
            if (watch.lost.aborted)
              throw new AppError('forbidden', 'the permissions for the command were revoked');
          } finally {
            watch.end();
            release();
          }
        } catch (error) {
          if (isAppError(error)) {
            // A command that was stopped because of lost permissions is already recorded.
            if (!isRecorded) record('refused', { reason: error.code });
          } else request.log.error({ ...logFields, err: error }, 'command: failed');
          throw error;
        }
      });
    },
  });
}
