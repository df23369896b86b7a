import type { CommandAction, CommandSpec } from '../command.ts';
import type { CommandPath } from '../find-command.ts';
import { healthcheckCommand, versionCommand } from '../standalone-commands.ts';

/**
 * Commands that use neither code of the server nor the table of all commands. They start without its bundle, which is large:
 * `healthcheck` is run every few seconds.
 */
export const standaloneActions = {
  healthcheck: {
    spec: healthcheckCommand,
    load: async () => (await import('../health/check-health.ts')).checkHealth,
  },
  version: {
    spec: versionCommand,
    load: async () => (await import('../print-version.ts')).printVersion,
  },
} as const satisfies Partial<Record<CommandPath, { spec: CommandSpec; load: () => Promise<CommandAction> }>>;

/** Name of a command of {@link standaloneActions}. */
export type StandalonePath = keyof typeof standaloneActions;

/** Whether the command is one of {@link standaloneActions}. */
export const isStandalone = (path: CommandPath): path is StandalonePath =>
  Object.hasOwn(standaloneActions, path);
