import { runCommand } from '@filestead/contract/commands';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import type { FileEvents } from '../access/file-events.ts';
import type { GlobalSettings } from '../access/global-settings.ts';
import type { Route } from '../http/server/route.ts';
import { routeSocketFrom } from '../http/server/route-socket.ts';
import { literalPrefix } from '../http/request/target.ts';
import { acceptSockets } from '../http/server/upgrades.ts';
import type { DiskPlaces } from '../storage/disk/disk-places.ts';
import { openHooks } from './hooks.ts';
import { openLauncher } from './launcher.ts';
import { refuseCommands, registerCommands } from './routes.ts';

/** What an administrator chooses about commands when starting the server. */
export interface CommandOptions {
  readonly isEnabled: boolean;
  /** Users' commands run with all that the server may do. */
  readonly isUnsandboxed: boolean;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** Of each process; 0 means no limit. */
  readonly memoryBytes: number;
  readonly perUser: number;
  readonly atOnce: number;
  readonly hookTimeoutMs: number;
  /** Variables of the server's environment that hooks get besides the allow-listed ones. */
  readonly passedVariables: readonly string[];
  /** Origins besides the server's own whose pages may open the socket. */
  readonly allowedOrigins: readonly string[];
}

/** Puts the command socket on the server and starts listening for changes of files; nothing of it when commands are off. */
export async function openCommands(
  app: FastifyInstance,
  parts: {
    route: Route;
    events: FileEvents;
    settings: GlobalSettings;
    places: DiskPlaces;
    options: CommandOptions;
    baseUrl: string;
    clock: Clock;
  },
): Promise<void> {
  const { route, events, settings, places, options, baseUrl, clock } = parts;
  if (!options.isEnabled) return refuseCommands(app, { route });
  const { isUnsandboxed, memoryBytes } = options;
  const launcher = await openLauncher(places, { isUnsandboxed, memoryBytes });
  if (launcher.kind === 'none')
    app.log.warn('there is no sandbox (bubblewrap) that works: commands of users are refused');
  if (launcher.kind === 'unsandboxed') app.log.warn('commands of users run without a sandbox');
  await acceptSockets(app, { prefixes: [literalPrefix(runCommand.path)], baseUrl });
  const shell = (): readonly string[] => settings.current.shell;
  registerCommands(app, {
    routeSocket: routeSocketFrom(options.allowedOrigins),
    runner: { launcher, limits: options, shell },
    capacity: { perUser: options.perUser, all: options.atOnce },
    rules: () => settings.current.rules,
    clock,
  });
  events.subscribe(
    openHooks({
      places,
      commands: () => settings.current.commands,
      // A line of text for a shell is only made where the administrator has done without safeguards.
      shell: isUnsandboxed ? shell : () => [],
      environment: process.env,
      passedOn: options.passedVariables,
      timeoutMs: options.hookTimeoutMs,
      log: app.auditLog,
    }),
  );
}
