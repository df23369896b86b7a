/** Creates a JSON response for tests. */
export const jsonResponse = (value: unknown, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(value), {
    ...init,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...init.headers },
  });

/** Creates an error response with problem details for tests. */
export const problemResponse = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
): Response =>
  new Response(JSON.stringify({ type: 'about:blank', status, title: 'Problem', code }), {
    status,
    headers: { 'Content-Type': 'application/problem+json', ...headers },
  });

/** Creates a body that arrives in the given pieces. */
export function streamOf(...chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}
