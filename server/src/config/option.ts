import { resolve } from 'node:path';
import { parseInteger } from './parse-values.ts';

/** Folders that the values of options refer to. */
export interface Folders {
  /** Relative paths start here. */
  readonly cwd: string;
  /** The served folder as given by flags, environment and file. */
  readonly start: string;
  readonly data: string;
}

/** A configuration option, given as a flag, a variable or in a file. */
export interface Option {
  /** Name in the configuration file; the flag is `--name`, the variables `FILESTEAD_NAME` and `FB_NAME` in upper snake case. */
  readonly name: string;
  /** Name of flag and variable in File Browser, if it is not that of its configuration file. */
  readonly alias?: string;
  readonly short?: string;
  /** Placeholder of the value in `--help`; absent for switches. A number in YAML is read as `octal` if that is the placeholder. */
  readonly value?: string;
  /** Shown in `--help` and in docs/reference/configuration.md. */
  readonly description: string;
  /** Default value as text, also shown in `--help`. */
  readonly fallback: string;
  /** False for options that cannot be stored among the options in the database. */
  readonly isStorable?: false;
  /** Returns the value for `Config`. Throws an error with the expected format. */
  readonly parse: (text: string, folders: Folders) => unknown;
}

/** Returns the text as it is. */
export const plain = (text: string): string => text;

/** Resolves a path. */
export const path = (text: string, { cwd }: Folders): string => resolve(cwd, text);

/** Resolves a path; null if it is empty. */
export const pathOrNull = (text: string, { cwd }: Folders): string | null =>
  text === '' ? null : resolve(cwd, text);

/** Parses a number from 1 to 1,000,000. */
export const positive = (text: string): number => parseInteger(text, 1, 1_000_000);

/** Parses the value of an option that has no default of its own; undefined if it is not given. */
export const unlessEmpty =
  <T>(parseText: (text: string) => T) =>
  (text: string): T | undefined =>
    text === '' ? undefined : parseText(text);
