/** Forms of "one level up" as attackers write them, raw on the wire. */
export const upForms = [
  '../',
  '..%2f',
  '%2e%2e/',
  '%2e%2e%2f',
  '.%2e/',
  '%2e./',
  '%252e%252e%252f',
  '..%252f',
  '..\\',
  '..%5c',
  '%2e%2e%5c',
  '..;/',
  '....//',
  '..././',
  '/./../',
  '//../',
  '%2f..%2f',
  '%c0%ae%c0%ae/',
  '%e0%80%ae%e0%80%ae/',
  '..%00/',
  '..%0a/',
  '%u002e%u002e/',
  '\uff0e\uff0e\uff0f',
] as const;

/** Those that are no step upwards after one decoding, but names of files that do not exist: 404, while all others are 400. */
export const readAsNames: ReadonlySet<string> = new Set([
  '%252e%252e%252f',
  '..%252f',
  '..\\',
  '..%5c',
  '%2e%2e%5c',
  '..;/',
  '....//',
  '..././',
  '..%0a/',
] satisfies (typeof upForms)[number][]);
