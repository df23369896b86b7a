/** Whether an `Accept` header asks for rows (NDJSON) rather than one JSON value. */
export const acceptsRows = (accept: string | undefined): boolean =>
  accept !== undefined &&
  /(?:^|,)\s*application\/x-ndjson\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:;|,|$))[^,]*)?(?:,|$)/i.test(accept);

/** Whether an `Accept` header names JSON itself; a wildcard does not. */
export const acceptsJson = (accept: string | undefined): boolean =>
  accept !== undefined &&
  /(?:^|,)\s*application\/json\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:;|,|$))[^,]*)?(?:,|$)/i.test(accept);
