import type { runAction as RunAction } from './cli/actions/run-action.ts';
import type { serve as Serve } from './serve.ts';

/**
 * The parts of the program that are bundled into one file, because they share most of their code. Only the code
 * of the part that is called is executed.
 */

/** Starts the server. */
export const serve: typeof Serve = async (config) => (await import('./serve.ts')).serve(config);

/** Runs a command that uses code of the server or the table of all commands. */
export const runAction: typeof RunAction = async (...call) =>
  (await import('./cli/actions/run-action.ts')).runAction(...call);
