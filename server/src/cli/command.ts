import type { Readable, Writable } from 'node:stream';

/** An error of a command or its files. Its message is shown to the administrator. */
export class CliError extends Error {
  override readonly name = 'CliError';
  /** Exit status of the program. */
  readonly status: 1 | 2;

  constructor(message: string, options: ErrorOptions & { status?: 1 | 2 } = {}) {
    super(message, options);
    this.status = options.status ?? 1;
  }
}

/** The environment in which a command runs. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths refer to. */
  readonly cwd: string;
  readonly home: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Receives binary output for the standard output. It is not closed. */
  readonly stdout: Writable;
  /** Writes a line of the requested output. */
  print: (text: string) => void;
  /** Writes a line of additional information. */
  warn: (text: string) => void;
}

/** An option of a command. Names are compared ignoring case, dashes and dots. */
export interface CliOption {
  readonly name: string;
  readonly short?: string;
  /**
   * `switch` accepts `on`, `off` or no value; `optional` accepts one value or none; `list` may be repeated.
   */
  readonly kind: 'switch' | 'text' | 'optional' | 'list';
  /** Placeholder of the value in the help; absent for switches. */
  readonly value?: string;
  readonly description: string;
  /** Accepted for existing scripts, but not shown in the help. */
  readonly isHidden?: boolean;
}

/** Values of the options of a command call. */
export interface OptionValues {
  /** Declared names of the given options. */
  readonly names: readonly string[];
  text(name: string): string | undefined;
  /** Throws {@link CliError} for values other than on and off. */
  isOn(name: string): boolean | undefined;
  /** Comma-separated words from all occurrences of the option. */
  list(name: string): string[] | undefined;
}

/** A call of a command. */
export interface CommandCall {
  readonly words: readonly string[];
  readonly options: OptionValues;
  readonly terminal: Terminal;
}

/** Runs a command. If it throws, nothing has been changed. */
export type CommandAction = (call: CommandCall) => Promise<void>;

/** Declaration of a command, also used by the help, the completion and the test of the manual. */
export interface CommandSpec {
  /** Name of the command, such as `users add`. */
  readonly path: string;
  /**
   * Arguments as shown in the help, such as `<name>` and `[password]`; `<command...>` accepts all remaining
   * ones.
   */
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: readonly CliOption[];
}
