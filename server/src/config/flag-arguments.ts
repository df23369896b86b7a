import { isIgnored, optionNamed } from './option-names.ts';
import { options } from './options.ts';
import { isSwitchWord } from './parse-values.ts';

/** The configuration file can only be given as a flag; it is not in the table of options. */
const configFlag = { name: 'config', short: 'c' } as const;

/** One argument that begins with a dash, as known to the server. */
interface Flag {
  /** Declared name; undefined for a name of File Browser without an effect here. */
  readonly name: string | undefined;
  readonly isSwitch: boolean;
  /** The rest of the same argument, as in `--port=80`, `-p=80` and `-p80`. */
  readonly attached: string | undefined;
}

function readFlag(argument: string): Flag | undefined {
  const long = /^--([A-Za-z][\w.-]*)(?:=(.*))?$/s.exec(argument);
  if (long !== null) {
    const [, written = '', attached] = long;
    if (written.toLowerCase() === configFlag.name)
      return { name: configFlag.name, isSwitch: false, attached };
    const known = optionNamed(written);
    const option = options.find(({ name }) => name === known);
    if (option !== undefined) return { name: option.name, isSwitch: option.value === undefined, attached };
    if (isIgnored(written)) return { name: undefined, isSwitch: written.startsWith('disable'), attached };
    return undefined;
  }
  const [, letter, attached] = /^-([A-Za-z])(?:=?(.+))?$/s.exec(argument) ?? [];
  const option = [...options, configFlag].find(({ short }) => short !== undefined && short === letter);
  return option && { name: option.name, isSwitch: false, attached };
}

/**
 * Whether the argument after `args[at]` is its value. A switch only accepts `on`, `off` and their synonyms.
 */
export function takesNext(args: readonly string[], at: number): boolean {
  const flag = readFlag(args[at] ?? '');
  const next = args[at + 1];
  if (flag === undefined || flag.attached !== undefined || next === undefined) return false;
  return flag.isSwitch ? isSwitchWord(next) : true;
}

/**
 * Rewrites the server's flags as `--name=value` with their declared names and drops flags of File
 * Browser without an effect here. Other arguments are unchanged.
 */
export function normalizeFlags(args: readonly string[]): string[] {
  const result: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] ?? '';
    if (argument === '--') return [...result, ...args.slice(at)];
    const flag = readFlag(argument);
    if (flag === undefined) {
      result.push(argument);
      continue;
    }
    const { name, isSwitch, attached } = flag;
    const next = takesNext(args, at) ? args[at + 1] : undefined;
    if (next !== undefined) at += 1;
    const value = attached ?? next ?? (isSwitch ? 'on' : undefined);
    if (name !== undefined) result.push(value === undefined ? `--${name}` : `--${name}=${value}`);
  }
  return result;
}
