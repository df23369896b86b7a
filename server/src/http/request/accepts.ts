/** Whether an `Accept` header requests rows (NDJSON) instead of one JSON value. */
export const acceptsRows = (accept: string | undefined): boolean =>
  accept !== undefined &&
  /(?:^|,)\s*application\/x-ndjson\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:;|,|$))[^,]*)?(?:,|$)/i.test(accept);

/** Whether an `Accept` header names JSON explicitly; a wildcard does not count. */
export const acceptsJson = (accept: string | undefined): boolean =>
  accept !== undefined &&
  /(?:^|,)\s*application\/json\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:;|,|$))[^,]*)?(?:,|$)/i.test(accept);
