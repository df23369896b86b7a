import { deniedBySystem, readOnlyDisk } from '@filestead/contract/errors';

/** The reasons of `forbidden` that only the `detail` of an error states: the server itself is refused, whoever the user is. */
const reasonsByDetail = {
  [deniedBySystem]: 'deniedBySystem',
  [readOnlyDisk]: 'readOnlyDisk',
} as const satisfies Record<string, string>;

/** A code that stands for the `detail` of an error. */
export type DetailCode = (typeof reasonsByDetail)[keyof typeof reasonsByDetail];

const isKnownDetail = (detail: unknown): detail is keyof typeof reasonsByDetail =>
  typeof detail === 'string' && Object.hasOwn(reasonsByDetail, detail);

/** Returns the code by which the text for an error is selected: the reason that its `detail` states, or else its own code. */
export const exactCode = <C extends string>({
  code,
  detail,
}: {
  code: C;
  detail?: unknown;
}): C | DetailCode => (isKnownDetail(detail) ? reasonsByDetail[detail] : code);

/** Returns the {@link exactCode} of anything that was thrown, or `fallback` if it has no code. */
export function exactCodeOf<F extends string>(error: unknown, fallback: F): string {
  if (typeof error !== 'object' || error === null) return fallback;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? exactCode({ code, detail: Reflect.get(error, 'detail') }) : fallback;
}
