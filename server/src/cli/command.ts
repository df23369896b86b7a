import type { Readable, Writable } from 'node:stream';

/** Thrown for what is wrong with a command or its files; the message is for the administrator. */
export class CliError extends Error {
  override readonly name = 'CliError';
  /** The exit status of the program. */
  readonly status: 1 | 2;

  constructor(message: string, options: ErrorOptions & { status?: 1 | 2 } = {}) {
    super(message, options);
    this.status = options.status ?? 1;
  }
}

/** Where a command runs. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths are relative to. */
  readonly cwd: string;
  readonly home: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Where bytes go that were asked for on the standard output. It is not closed. */
  readonly stdout: Writable;
  /** Writes what was asked for, with a line end. */
  print: (text: string) => void;
  /** Writes what the administrator should know besides, with a line end. */
  warn: (text: string) => void;
}

/** An option of a command. Names are compared without case, dashes and dots. */
export interface CliOption {
  readonly name: string;
  readonly short?: string;
  /** `switch` takes `on` or `off`, or none; `optional` takes one or none; `list` may be repeated. */
  readonly kind: 'switch' | 'text' | 'optional' | 'list';
  /** What the value is, for the help; absent for switches. */
  readonly value?: string;
  readonly description: string;
  /** Accepted for the sake of existing scripts, and not shown. */
  readonly isHidden?: boolean;
}

/** What was given for a command's options. */
export interface OptionValues {
  /** The names of the options that were given, as they are declared. */
  readonly names: readonly string[];
  text(name: string): string | undefined;
  /** Throws {@link CliError} for what is neither on nor off. */
  isOn(name: string): boolean | undefined;
  /** Words separated by commas, from all times that the option was given. */
  list(name: string): string[] | undefined;
}

/** One run of a command. */
export interface CommandCall {
  readonly words: readonly string[];
  readonly options: OptionValues;
  readonly terminal: Terminal;
  /** All commands, for those that speak about them. */
  readonly commands: readonly CommandSpec[];
}

/** Does what a command says. Throws what is wrong; then nothing has been changed. */
export type CommandAction = (call: CommandCall) => Promise<void>;

/** A command as it is declared: help, completion and the manual's test read it. */
export interface CommandSpec {
  /** Such as `users add`. */
  readonly path: string;
  /** Arguments as they are shown, such as `<name>` and `[password]`; `<command...>` takes all that follow. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: readonly CliOption[];
  /** Its code is loaded when it is run. */
  readonly load: () => Promise<CommandAction>;
}
