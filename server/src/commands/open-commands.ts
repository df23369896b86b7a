import { runCommand } from '@filestead/contract/commands';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { FileEvents } from '../access/file-events.ts';
import type { GlobalSettings } from '../access/global-settings.ts';
import type { Route } from '../http/server/route.ts';
import { routeSocketFrom } from '../http/server/route-socket.ts';
import { literalPrefix } from '../http/request/target.ts';
import { acceptSockets } from '../http/server/upgrades.ts';
import type { DiskPaths } from '../storage/disk/disk-paths.ts';
import { openHooks } from './hooks.ts';
import { openLauncher } from './launcher.ts';
import { refuseCommands, registerCommands } from './routes.ts';

/** The administrator's options for commands. */
export type CommandOptions = Pick<
  Config,
  | 'isExecEnabled'
  | 'isExecUnsandboxed'
  | 'commandTimeoutMs'
  | 'commandOutputBytes'
  | 'commandMemoryBytes'
  | 'commandsPerUser'
  | 'commandsAtOnce'
  | 'hookTimeoutMs'
  | 'passedVariables'
  | 'allowedOrigins'
>;

/** Registers the command socket and subscribes hooks to changes of files. When commands are disabled, the socket refuses. */
export async function openCommands(
  app: FastifyInstance,
  parts: {
    route: Route;
    events: FileEvents;
    settings: GlobalSettings;
    places: DiskPaths;
    options: CommandOptions;
    baseUrl: string;
    clock: Clock;
  },
): Promise<void> {
  const { route, events, settings, places, options, baseUrl, clock } = parts;
  if (!options.isExecEnabled) return refuseCommands(app, { route });
  const { isExecUnsandboxed: isUnsandboxed, commandMemoryBytes: memoryBytes } = options;
  const launcher = await openLauncher(places, { isUnsandboxed, memoryBytes });
  if (launcher.kind === 'none')
    app.log.warn(
      'the sandbox (bubblewrap) is missing or does not work: commands of users are refused; “filestead doctor” names the remedy',
    );
  if (launcher.kind === 'unsandboxed') app.log.warn('commands of users run without a sandbox');
  await acceptSockets(app, { prefixes: [literalPrefix(runCommand.path)], baseUrl });
  const shell = (): readonly string[] => settings.current.shell;
  const limits = { timeoutMs: options.commandTimeoutMs, maxOutputBytes: options.commandOutputBytes };
  registerCommands(app, {
    routeSocket: routeSocketFrom(options.allowedOrigins),
    runner: { launcher, limits, shell },
    capacity: { perUser: options.commandsPerUser, all: options.commandsAtOnce },
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
