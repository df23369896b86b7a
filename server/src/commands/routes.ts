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
import { auditAct } from '../http/server/audit.ts';
import { clientAddress } from '../http/request/client-address.ts';
import type { Route } from '../http/server/route.ts';
import type { RouteSocket } from '../http/server/route-socket.ts';
import { auditArguments } from './audit-arguments.ts';
import { type CommandRunner, runCommand, type CommandResult } from './run-command.ts';
import { serveSocket } from './socket-session.ts';

/** How many commands may run at the same time; connections that have not named one yet count too. */
export interface CommandCapacity {
  readonly perUser: number;
  readonly all: number;
}

/** Command execution is off: nobody may use the socket, whatever the database says. */
export function refuseCommands(app: FastifyInstance, { route }: { route: Route }): void {
  route(app, endpoints.runCommand, () =>
    Promise.reject(new AppError('forbidden', 'the server was started without command execution')),
  );
}

/** A user whose command may change files has all permissions that changing them through the API would take. */
const mayWrite = ({ perm }: User): boolean => perm.create && perm.modify && perm.rename && perm.delete;

/**
 * The places that rules deny by path, so that a sandbox can cover them. Patterns and hidden names cannot be covered: what
 * they deny would have to be looked for in the whole tree.
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

/** Throws `not_found`, `external_link`, `not_a_folder`, `forbidden` unless a command may run there. */
async function requireFolder(userContext: UserContext, { path }: RequestedPath): Promise<void> {
  const folder = await (await userContext.storage()).stat(path);
  if (folder === null) throw new AppError('not_found');
  if (folder.kind === 'invalid_link') throw new AppError('external_link');
  if (folder.kind !== 'folder') throw new AppError('not_a_folder');
}

/** Whoever runs a command is looked at this often while it runs. */
const rightsCheckMs = 2_000;

/** `lost` is aborted when the session of a command ends, or its user loses what the command runs with. */
function watchRights(
  renewed: () => Promise<{ readonly userContext: UserContext; readonly release: () => void }>,
  begunAs: User,
  clock: Clock,
): { readonly lost: AbortSignal; end(): void } {
  const lost = new AbortController();
  const look = async (): Promise<void> => {
    const { userContext, release } = await renewed();
    release();
    const { user } = userContext;
    const hasLess =
      user.scope !== begunAs.scope ||
      (mayWrite(begunAs) && !mayWrite(user)) ||
      begunAs.commands.some((command) => !user.commands.includes(command));
    if (hasLess) lost.abort();
  };
  const end = clock.every(rightsCheckMs, () => {
    look().catch((error: unknown) => {
      if (isAppError(error)) lost.abort();
    });
  });
  return { lost: lost.signal, end };
}

/** Puts the command socket on the server. */
export function registerCommands(
  app: FastifyInstance,
  parts: {
    routeSocket: RouteSocket;
    runner: CommandRunner;
    capacity: CommandCapacity;
    /** The rules for everybody. */
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
    async admit({ userContext, requested, onEnd }) {
      await requireFolder(userContext, requested);
      if (countOf(userContext.user.id) >= capacity.perUser || total() >= capacity.all) {
        throw new AppError('too_many_requests', 'too many commands are running');
      }
      change(userContext.user.id, 1);
      onEnd(() => change(userContext.user.id, -1));
    },
    connected(socket, { userContext: opener, requested, query, request, renewed }) {
      const about = { user: opener.user.id, address: clientAddress(request), folder: requested.path };
      const isInBlocks = query.blocks === 'true';
      serveSocket(socket, request.raw.socket, { isInBlocks, clock }, async (line, sink, signal) => {
        let wasRun = false;
        const record = (
          outcome: AuditOutcome,
          { words, ...result }: Partial<Omit<CommandResult, 'reason'>> & { readonly reason: string },
        ): void => {
          wasRun = true;
          const command = auditArguments(words ?? []);
          auditAct(
            request,
            {
              event: 'command.run',
              outcome,
              reason: result.reason,
              target: { path: requested.path, command, exit: result.exit ?? null },
            },
            {
              facts: { ...about, ...(words === undefined ? {} : { command, ...result }) },
              message: `command: ${words === undefined ? 'refused' : result.reason}`,
            },
          );
        };
        try {
          // Much may have changed since the connection was opened.
          const { userContext, release } = await renewed();
          const watch = watchRights(renewed, userContext.user, clock);
          try {
            await requireFolder(userContext, requested);
            const { user } = userContext;
            const rights = {
              allowed: user.commands,
              scope: parsePath(user.scope).path,
              folder: requested.path,
              isWritable: mayWrite(user),
              denied: await deniedPaths(userContext, rules()),
            };
            const both = AbortSignal.any([signal, watch.lost]);
            const result = await runCommand(runner, line, rights, sink, both);
            record(result.reason === 'ended' ? 'success' : 'refused', result);
            // The connection does not end as if the program had.
            if (watch.lost.aborted)
              throw new AppError('forbidden', 'the rights of the command were taken away');
          } finally {
            watch.end();
            release();
          }
        } catch (error) {
          if (isAppError(error)) {
            // A command that lost its rights while it ran has its record.
            if (!wasRun) record('refused', { reason: error.code });
          } else request.log.error({ ...about, err: error }, 'command: failed');
          throw error;
        }
      });
    },
  });
}
