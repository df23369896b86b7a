/** An answer of the API as tests give it. */
export const jsonAnswer = (value: unknown, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(value), {
    ...init,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...init.headers },
  });

/** An error of the table, as problem details. */
export const problemAnswer = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ type: 'about:blank', status, title: 'Problem', code }), {
    status,
    headers: { 'Content-Type': 'application/problem+json', ...headers },
  });

/** A body that arrives in the given pieces. */
export function streamOf(...pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}
