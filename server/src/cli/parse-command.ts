import { Command, CommanderError, Option as FlagOption } from 'commander';
import { foldOptionName } from '../config/option-names.ts';
import { isSwitchWord } from '../config/parse-values.ts';
import { type CliOption, CliError, type CommandSpec } from './command.ts';
import type { GivenOptions } from './option-values.ts';

const isSwitch = (option: CliOption | undefined): boolean => option?.kind === 'switch';

/** Adds `value` to a switch without one; returns other flags unchanged. */
const withValue = (flag: string, options: readonly CliOption[], value: string): string =>
  isSwitch(options.find(({ name }) => flag === `--${name}`)) ? `${flag}=${value}` : flag;

/** Expands options to their declared names: `-ar` becomes `--allow` and `--regex`. */
function expandOption(argument: string, options: readonly CliOption[]): string[] {
  const long = /^--([A-Za-z][\w.-]*)(=.*)?$/s.exec(argument);
  if (long !== null) {
    const [, written = '', value = ''] = long;
    const option = options.find(({ name }) => foldOptionName(name) === foldOptionName(written));
    return [option === undefined ? argument : `--${option.name}${value}`];
  }
  const [, letters, value = ''] = /^-([A-Za-z]+)(=.*)?$/s.exec(argument) ?? [];
  if (letters === undefined) return [argument];
  const found = [...letters].map((letter) => options.find((option) => option.short === letter));
  if (found.length === 1 && found[0] !== undefined) return [`--${found[0].name}${value}`];
  return found.every(isSwitch) ? found.map((option) => `--${option?.name ?? ''}`) : [argument];
}

/**
 * Rewrites options with their declared names, and every switch with its value: `--allow off` becomes
 * `--allow=off`.
 */
function normalize(args: readonly string[], options: readonly CliOption[]): string[] {
  const result: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] ?? '';
    if (argument === '--') return [...result, ...args.slice(at)];
    const flags = expandOption(argument, options);
    const option = options.find(({ name }) => flags.at(-1) === `--${name}`);
    const next = args[at + 1];
    const hasWord = isSwitch(option) && next !== undefined && isSwitchWord(next);
    const last = hasWord ? next : 'on';
    result.push(
      ...flags.map((flag, index) => withValue(flag, options, index < flags.length - 1 ? 'on' : last)),
    );
    // The argument after an option that requires a value is that value, whatever it contains.
    const hasValue = next !== undefined && (option?.kind === 'text' || option?.kind === 'list');
    if (hasValue) result.push(next);
    if (hasWord || hasValue) at += 1;
  }
  return result;
}

function flagsOf({ name, short, kind, value = 'value' }: CliOption): string {
  const start = `${short === undefined ? '' : `-${short}, `}--${name}`;
  if (kind === 'switch') return `${start} [on|off]`;
  return `${start} ${kind === 'optional' ? `[${value}]` : `<${value}>`}`;
}

/** Parsed arguments of a command. */
export interface ParsedCommand {
  readonly words: readonly string[];
  readonly given: GivenOptions;
}

/** Creates the parser of a command for the library `commander`. */
export function commanderOf(spec: CommandSpec): Command {
  const command = new Command(`filestead ${spec.path}`).description(spec.summary).exitOverride();
  for (const word of spec.words) command.argument(word);
  for (const option of spec.options) {
    const flag = new FlagOption(flagsOf(option), option.description).hideHelp(option.isHidden ?? false);
    if (option.kind === 'list') {
      flag.argParser((value: string, former: string[] | undefined) => [...(former ?? []), value]);
    }
    command.addOption(flag);
  }
  return command;
}

/**
 * Parses the arguments of a command; null if they requested its help, which was printed. Throws {@link
 * CliError}.
 */
export function parseCommand(
  spec: CommandSpec,
  args: readonly string[],
  print: (text: string) => void,
): ParsedCommand | null {
  const command = commanderOf(spec).configureOutput({
    writeOut: (text) => print(text.trimEnd()),
    writeErr: () => undefined,
  });
  try {
    command.parse(normalize(args, spec.options), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return null;
    const reason = error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
    throw new CliError(`${reason}; see: filestead help ${spec.path}`, { cause: error });
  }
  return { words: command.args, given: command.opts() };
}
