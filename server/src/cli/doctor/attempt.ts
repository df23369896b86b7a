import { execFile } from 'node:child_process';

/** Time limit of a trial in milliseconds. */
const trialMs = 10_000;

/** Runs a program, found in the search path `path`, and returns its output; null if it is missing or fails. */
export function attempt(program: string, args: readonly string[], path: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(
      program,
      [...args],
      { timeout: trialMs, env: { PATH: path, LANG: 'C.UTF-8' } },
      (error, output) => resolve(error === null ? output : null),
    );
  });
}
