import * as z from 'zod/mini';
import { CliError } from '../command.ts';

/** Content of a JSON or YAML file. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Restores the case of keys with the help of a record that has all of them, because YAML exports have
 * lower-case keys (docs/reference/filebrowser-api.md §5.4).
 */
export function withKeysOf(value: unknown, model: unknown): unknown {
  if (Array.isArray(value)) {
    const item: unknown = Array.isArray(model) ? model[0] : undefined;
    return value.map((entry) => withKeysOf(entry, item));
  }
  if (!isRecord(value)) return value;
  const fields = isRecord(model) ? Object.entries(model) : [];
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const [name, inModel] = fields.find(([known]) => known.toLowerCase() === key.toLowerCase()) ?? [key];
      return [name, withKeysOf(inner, inModel)];
    }),
  );
}

/** Removes `null` values, which existing exports contain for empty lists and missing records. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((entry) => entry !== null).map(withoutNulls);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
}

/** Converts all keys to lower case, as in YAML exports. */
export function withLowerKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLowerKeys);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.toLowerCase(), withLowerKeys(inner)]),
  );
}

/** Returns the paths in `given` that parsing has dropped, such as `settings.branding.colour`. */
export function unknownPaths(given: unknown, parsed: unknown, path: string): string[] {
  if (Array.isArray(given)) {
    const list: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
    return given.flatMap((entry, index) => unknownPaths(entry, list[index], `${path}[${index}]`));
  }
  if (!isRecord(given) || !isRecord(parsed)) return [];
  return Object.entries(given).flatMap(([key, inner]) =>
    Object.hasOwn(parsed, key) ? unknownPaths(inner, parsed[key], `${path}.${key}`) : [`${path}.${key}`],
  );
}

/** Returns the path and the message of the first error of a record, such as `sorting.by: invalid option`. */
export function firstIssueOf({ issues: [issue] }: z.core.$ZodError): string {
  return `${issue?.path.join('.') ?? 'record'}: ${issue?.message ?? 'invalid'}`;
}

/** Parses a part of a file. Throws {@link CliError} with the path of the first error. */
export function parsePart<T extends z.ZodMiniType>(schema: T, value: unknown, path: string): z.output<T> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const errorPath = (issue?.path ?? [])
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('');
  throw new CliError(`${path}${errorPath}: ${issue?.message ?? 'invalid'}`);
}
