import { commandOptions } from './command-options.ts';
import { featureOptions } from './feature-options.ts';
import { fileOptions } from './file-options.ts';
import type { Option } from './option.ts';
import { serverOptions } from './server-options.ts';
import { signInOptions } from './sign-in-options.ts';

/**
 * Every option, under its key in `Config` and in the order of `--help` and of the reference. Names are those of
 * File Browser where the meaning is the same. Keys with the name of the option are combined with others in
 * config.ts.
 */
export const optionTable = {
  ...serverOptions,
  ...signInOptions,
  ...fileOptions,
  ...commandOptions,
  ...featureOptions,
} as const;

/** The value of every option by its key. */
export type OptionValues = {
  readonly [Key in keyof typeof optionTable]: ReturnType<(typeof optionTable)[Key]['parse']>;
};

/** Name of a configuration option. */
export type OptionName = (typeof optionTable)[keyof typeof optionTable]['name'];

/** An option of the table. */
export type KnownOption = Option & { readonly name: OptionName };

/** All options in their order. */
export const options: readonly KnownOption[] = Object.values(optionTable);
