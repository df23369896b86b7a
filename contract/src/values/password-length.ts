/** The error detail of `weak_password` for a password with fewer than `minimum` characters. */
export const shortPasswordDetail = (minimum: number): string =>
  `the password is too short, minimum length is ${minimum}`;

/** Returns the minimum length from an error detail; null for any other detail. */
export function minimumLengthIn(detail: string | undefined): number | null {
  const digits = /minimum length is (\d+)/u.exec(detail ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}
