import * as z from 'zod/mini';

/** An optional query parameter: a whole number from 1 to `max`, as text. */
export const positiveUpTo = (max: number) =>
  z.optional(
    z.pipe(
      z.string().check(z.regex(/^[1-9]\d{0,3}$/, 'expected a number')),
      z.pipe(z.transform(Number), z.int().check(z.lte(max))),
    ),
  );

/** An optional query parameter: a whole number from 0 to `max`, as text. */
export const nonNegativeUpTo = (max: number) =>
  z.optional(
    z.pipe(
      z.string().check(z.regex(/^(?:0|[1-9]\d{0,8})$/, 'expected a number')),
      z.pipe(z.transform(Number), z.int().check(z.lte(max))),
    ),
  );
