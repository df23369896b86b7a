/** Calls `onOperation` with the id of the operation that a response names. */
export function reportOperation(response: Response, onOperation: ((id: string) => void) | undefined): void {
  const id = response.headers.get('X-Operation');
  if (id !== null) onOperation?.(id);
}
