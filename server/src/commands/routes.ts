import * as endpoints from '@filestead/contract/commands';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';
import type { Route } from '../http/server/route.ts';
import type { RouteSocket } from '../http/server/route-socket.ts';
import { assertFolder } from '../storage/assert-folder.ts';
import { type CommandParts, runForSocket } from './run-for-socket.ts';
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

/** The connections that are open, by the id of their user. */
class OpenConnections {
  readonly #capacity: CommandCapacity;
  readonly #counts = new Map<number, number>();

  constructor(capacity: CommandCapacity) {
    this.#capacity = capacity;
  }

  /** Adds a connection and returns the function that removes it. Throws `too_many_requests` at the limits. */
  add(userId: number): () => void {
    const { perUser, all } = this.#capacity;
    const total = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    if (this.#countOf(userId) >= perUser || total >= all) {
      throw new AppError('too_many_requests', 'too many commands are running');
    }
    this.#change(userId, 1);
    return () => this.#change(userId, -1);
  }

  #countOf(userId: number): number {
    return this.#counts.get(userId) ?? 0;
  }

  #change(userId: number, by: 1 | -1): void {
    const count = this.#countOf(userId) + by;
    if (count === 0) this.#counts.delete(userId);
    else this.#counts.set(userId, count);
  }
}

/** Registers the command socket. */
export function registerCommands(
  app: FastifyInstance,
  parts: CommandParts & { readonly routeSocket: RouteSocket; readonly capacity: CommandCapacity },
): void {
  const { routeSocket, capacity, clock } = parts;
  const connections = new OpenConnections(capacity);
  routeSocket(app, endpoints.runCommand, {
    async beforeHandshake({ userContext, requested, onEnd }) {
      await assertFolder(await userContext.storage(), requested.path);
      onEnd(connections.add(userContext.user.id));
    },
    connected(socket, call) {
      const isInBlocks = call.query.blocks === 'true';
      serveSocket(socket, call.request.raw.socket, { isInBlocks, clock }, (line, sink, signal) =>
        runForSocket(call, parts, line, sink, signal),
      );
    },
  });
}
