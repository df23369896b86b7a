import * as z from 'zod/mini';
import { CliError } from '../command.ts';

/** What a JSON or YAML file holds. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keys of YAML exports are lower-case (docs/reference/filebrowser-api.md §5.4); they are found again in a record that has all keys. */
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

/** The same without what is `null`: existing exports write it for empty lists and absent records. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((entry) => entry !== null).map(withoutNulls);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
}

/** With lower-case keys, as YAML exports have them. */
export function withLowerKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLowerKeys);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.toLowerCase(), withLowerKeys(inner)]),
  );
}

/** The places in `given` that parsing left out, such as `settings.branding.colour`. */
export function unknownPlaces(given: unknown, parsed: unknown, place: string): string[] {
  if (Array.isArray(given)) {
    const list: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
    return given.flatMap((entry, index) => unknownPlaces(entry, list[index], `${place}[${index}]`));
  }
  if (!isRecord(given) || !isRecord(parsed)) return [];
  return Object.entries(given).flatMap(([key, inner]) =>
    Object.hasOwn(parsed, key) ? unknownPlaces(inner, parsed[key], `${place}.${key}`) : [`${place}.${key}`],
  );
}

/** Parses a part of a file. Throws {@link CliError} that names the place of the first fault. */
export function parsePart<T extends z.ZodMiniType>(schema: T, value: unknown, place: string): z.output<T> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const at = (issue?.path ?? [])
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('');
  throw new CliError(`${place}${at}: ${issue?.message ?? 'invalid'}`);
}
