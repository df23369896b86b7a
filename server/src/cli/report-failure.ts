import { isAppError } from '../errors.ts';
import { explainError } from '../start/explain-error.ts';
import { CliError, type Terminal } from './command.ts';

/** Exit status of a command. */
export type ExitStatus = 0 | 1 | 2;

/** Explanations of error codes without a message of their own. */
const explanations: Readonly<Record<string, string>> = {
  last_administrator: 'at least one administrator must remain',
  username_taken: 'the name belongs to another user',
  not_found: 'it does not exist',
  storage_full: 'the disk is full',
  forbidden: 'the folder is not writable',
};

/** Describes an error in one line. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = isAppError(error) && error.message === error.code ? explanations[error.code] : undefined;
  return (known ?? explainError(error)).trim().replaceAll(/\s*\n\s*/g, ' ');
}

/** Prints the error of a command in one line. Returns the exit status. */
export function reportFailure(error: unknown, terminal: Terminal): ExitStatus {
  terminal.warn(`filestead: ${lineOf(error)}`);
  return error instanceof CliError ? error.status : 1;
}
