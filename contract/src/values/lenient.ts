import * as z from 'zod/mini';

/** A list that existing clients may send as `null` or omit: both mean an empty one. */
export const lenientList = <T extends z.ZodMiniType>(item: T, maxLength: number) =>
  z._default(
    z.pipe(
      z.nullable(z.array(item).check(z.maxLength(maxLength))),
      z.transform((list): z.output<T>[] => list ?? []),
    ),
    [],
  );

/** One of `choices`; an empty string, as existing clients send it, means `fallback`. */
export const lenientChoice = <const T extends readonly string[]>(choices: T, fallback: T[number]) =>
  z.pipe(
    z.enum(['', ...choices]),
    z.transform((choice): T[number] => (choice === '' ? fallback : choice)),
  );
