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

/** Returns the option that `name` means; undefined if there is none. */
export const optionNamed = (name: string): OptionName | undefined =>
  options.find((option) =>
    [option.name, option.alias].some(
      (known) => known !== undefined && foldOptionName(known) === foldOptionName(name),
    ),
  )?.name;

/** Whether `name` is an option of File Browser that has no effect here. */
export const isIgnored = (name: string): boolean =>
  ignoredNames.some((known) => foldOptionName(known) === foldOptionName(name));

/** Returns the name of an option's variable without its prefix: `BASE_URL` for `baseURL`, `AUTH_METHOD` for `auth.method`. */
export const variableName = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase();
