/** Raw spellings of "one level up" that attackers use. */
export const traversalForms = [
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

/** The forms that are names of missing files after one decoding (404). All others are refused (400). */
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
] satisfies (typeof traversalForms)[number][]);

/**
 * The interpretation of a form in the path of a request: a step upwards (refused), a name, a name that becomes a step when a
 * query parameter is decoded again, a name that cannot be created, or bytes that a URL must escape (refused).
 */
export type Reading = 'step' | 'name' | 'twice' | 'uncreatable' | 'unescaped';

/** Returns the {@link Reading} of a form. */
export function readingOf(form: (typeof traversalForms)[number]): Reading {
  if (form === '..%0a/') return 'uncreatable';
  if (form === '\uff0e\uff0e\uff0f') return 'unescaped';
  if (form.includes('%25')) return 'twice';
  return readAsNames.has(form) ? 'name' : 'step';
}
