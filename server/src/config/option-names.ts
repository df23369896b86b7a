import { type OptionName, options } from './options.ts';

/** Names in existing configurations that have no effect here and are ignored. */
export const ignoredNames: readonly string[] = [
  // A listing never opens a file here.
  'disableTypeDetectionByHeader',
  'redisCacheUrl',
  'disableImageResolutionCalc',
];

/** Returns a name without case, dashes and dots, for comparisons: `--base-url` and `baseurl` are `baseURL`. */
export const foldOptionName = (name: string): string => name.replaceAll(/[-_.]/g, '').toLowerCase();

/** The options by their folded names and aliases. */
const optionsByName: ReadonlyMap<string, OptionName> = new Map(
  options.flatMap(({ name, alias }) =>
    [name, alias]
      .filter((known) => known !== undefined)
      .map((known) => [foldOptionName(known), name] as const),
  ),
);

/** Returns the option that `name` means; undefined if there is none. */
export const optionNamed = (name: string): OptionName | undefined => optionsByName.get(foldOptionName(name));

/** Whether `name` is an option of File Browser that has no effect here. */
export const isIgnored = (name: string): boolean =>
  ignoredNames.some((known) => foldOptionName(known) === foldOptionName(name));

/** Returns the name of an option's variable without its prefix: `BASE_URL` for `baseURL`, `AUTH_METHOD` for `auth.method`. */
export const variableName = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase();
