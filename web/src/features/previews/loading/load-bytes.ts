import { toApiError } from '../../../api/api-error.ts';
import { sendPlain } from '../../../api/signed-request.ts';

/** Thrown for a file that is larger than the limit of its preview. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/**
 * Requests the bytes of a file with the session's cookie; `range` is the first and the last byte, both inclusive.
 * Throws {@link ApiError} for failed responses.
 */
export async function requestBytes(
  url: string,
  { signal, range }: { signal?: AbortSignal; range?: readonly [first: number, last: number] } = {},
): Promise<Response> {
  const response = await sendPlain(url, {
    headers: range ? { Range: `bytes=${range[0]}-${range[1]}` } : {},
    signal: signal ?? null,
  });
  if (response.ok) return response;
  throw toApiError(response.status, '', response.headers.get('Retry-After'));
}

/** Loads a whole file. Throws {@link TooLargeError} beyond `limitBytes`, even if the announced size is smaller. */
export async function loadBytes(
  url: string,
  { signal, limitBytes }: { signal: AbortSignal; limitBytes: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await requestBytes(url, { signal });
  if (Number(response.headers.get('Content-Length') ?? 0) > limitBytes) {
    await response.body?.cancel();
    throw new TooLargeError();
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length > limitBytes) throw new TooLargeError();
  return bytes;
}
