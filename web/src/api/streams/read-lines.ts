import { ApiError, isAbort } from '../api-error.ts';

interface LinesReader<Value> {
  readonly signal: AbortSignal;
  /** Called with the new values since the last call. */
  readonly onValues: (values: readonly Value[]) => void;
}

/**
 * Reads a response with one JSON value per line and passes the values on as they arrive. Empty lines keep the connection
 * alive. Throws {@link ApiError} `no_connection` if the connection breaks; an `AbortError` if `signal` is aborted.
 */
export async function readLines<Value>(
  response: Response,
  { signal, onValues }: LinesReader<Value>,
): Promise<void> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let unfinished = '';
  const parseLines = (text: string): void => {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length > 0) onValues(JSON.parse(`[${lines.join(',')}]`) as Value[]);
  };
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) break;
      const text = unfinished + decoder.decode(chunk.value, { stream: true });
      const lastBreak = text.lastIndexOf('\n');
      unfinished = text.slice(lastBreak + 1);
      if (lastBreak >= 0) parseLines(text.slice(0, lastBreak));
    }
    parseLines(unfinished);
  } catch (error) {
    reader?.cancel().catch(() => undefined);
    if (isAbort(error) || signal.aborted) throw error;
    throw new ApiError(0, 'no_connection', { detail: 'The response was cut short.', cause: error });
  }
}
