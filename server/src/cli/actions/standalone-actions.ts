import type { CommandAction } from '../command.ts';
import type { CommandPath } from '../find-command.ts';

/**
 * Loads the code of each command that uses no code of the server. These commands start without its bundle, which
 * is large: `healthcheck` is run every few seconds.
 */
export const standaloneActions = {
  healthcheck: async () => (await import('../health/check-health.ts')).checkHealth,
  version: async () => (await import('../help.ts')).printVersion,
  completion: async () => (await import('../completion.ts')).printCompletion,
  help: async () => (await import('../help.ts')).printHelp,
} as const satisfies Partial<Record<CommandPath, () => Promise<CommandAction>>>;

/** Name of a command that uses no code of the server. */
export type StandalonePath = keyof typeof standaloneActions;

/** Whether the command uses no code of the server. */
export const isStandalone = (path: CommandPath): path is StandalonePath =>
  Object.hasOwn(standaloneActions, path);
