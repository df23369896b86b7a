import { errorOfAnswer } from '../../../api/api-error.ts';
import { sendPlain } from '../../../api/signed-request.ts';

/** A file that is larger than what is read into the page. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/**
 * The answer to a request for a file's bytes, signed by the session's cookie; `range` names the first and the last byte.
 * Throws {@link ApiError} for answers without them.
 */
export async function requestBytes(
  url: string,
  { signal, range }: { signal?: AbortSignal; range?: readonly [first: number, last: number] } = {},
): Promise<Response> {
  const answer = await sendPlain(url, {
    headers: range ? { Range: `bytes=${range[0]}-${range[1]}` } : {},
    signal: signal ?? null,
  });
  if (answer.ok) return answer;
  throw errorOfAnswer(answer.status, '', answer.headers.get('Retry-After'));
}

/** A whole file. Throws {@link TooLargeError} beyond `limitBytes`, whatever size was announced. */
export async function loadBytes(
  url: string,
  { signal, limitBytes }: { signal: AbortSignal; limitBytes: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await requestBytes(url, { signal });
  if (Number(answer.headers.get('Content-Length') ?? 0) > limitBytes) {
    await answer.body?.cancel();
    throw new TooLargeError();
  }
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes.length > limitBytes) throw new TooLargeError();
  return bytes;
}
