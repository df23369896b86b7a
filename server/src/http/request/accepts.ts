/**
 * Whether a header such as `Accept` or `Accept-Encoding` contains one of `names`, in lower case, with another quality than 0. A
 * wildcard is a name of its own.
 */
export function accepts(header: string | undefined, ...names: readonly string[]): boolean {
  if (header === undefined) return false;
  return header.split(',').some((element) => {
    const [name = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase());
    return names.includes(name) && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

/** Whether an `Accept` header requests rows (NDJSON) instead of one JSON value. */
export const acceptsRows = (accept: string | undefined): boolean => accepts(accept, 'application/x-ndjson');

/** Whether an `Accept` header names JSON explicitly; a wildcard does not count. */
export const acceptsJson = (accept: string | undefined): boolean => accepts(accept, 'application/json');
