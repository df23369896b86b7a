import { parseList, parseSwitch } from '../config/parse-values.ts';
import { CliError, type OptionValues } from './command.ts';

/** The values of the given options by name: texts, true for an option without a value, lists of repeated ones. */
export type GivenOptions = Readonly<Record<string, unknown>>;

/** Creates the access to the values of the given options. */
export function optionValues(given: GivenOptions): OptionValues {
  const text = (name: string): string | undefined => {
    const value = given[name];
    if (Array.isArray(value)) return value.join(',');
    return typeof value === 'string' ? value : value === true ? '' : undefined;
  };
  return {
    names: Object.keys(given).filter((name) => given[name] !== undefined),
    text,
    isOn(name) {
      const value = text(name);
      try {
        return value === undefined ? undefined : parseSwitch(value);
      } catch (error) {
        throw new CliError(`--${name}: expected on or off`, { cause: error });
      }
    },
    list(name) {
      const value = text(name);
      return value === undefined ? undefined : parseList(value);
    },
  };
}
