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

/** The administrator's options for commands, from the configuration of the server. */
export interface CommandOptions {
  readonly isEnabled: boolean;
  /** Users' commands run without a sandbox, with all privileges of the server process. */
  readonly isUnsandboxed: boolean;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** Memory limit of each process; 0 means no limit. */
  readonly memoryBytes: number;
  readonly perUser: number;
  readonly atOnce: number;
  readonly hookTimeoutMs: number;
  /** Variables of the server's environment that hooks get in addition to the allow-listed ones. */
  readonly passedVariables: readonly string[];
  /** Origins, other than the server's, whose pages may open the socket. */
  readonly allowedOrigins: readonly string[];
}

/** Registers the command socket and subscribes hooks to changes of files. When commands are disabled, the socket refuses. */
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
    app.log.warn('the sandbox (bubblewrap) is missing or does not work: commands of users are refused');
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
      // Lines are passed to a shell only if the administrator has disabled the sandbox.
      shell: isUnsandboxed ? shell : () => [],
      environment: process.env,
      passedOn: options.passedVariables,
      timeoutMs: options.hookTimeoutMs,
      log: app.auditLog,
    }),
  );
}
