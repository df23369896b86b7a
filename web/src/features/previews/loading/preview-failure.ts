import { isApiError } from '../../../api/api-error.ts';
import { requestBytes } from './load-bytes.ts';

/** Why a file is not shown: its bytes make no sense here, they did not come, or the file is no longer there. */
export type PreviewFailure = 'damaged' | 'unloaded' | 'gone';

/** What an error while reading a file says about it. */
export function toPreviewFailure(error: unknown): PreviewFailure {
  if (!isApiError(error)) return 'damaged';
  return error.status === 404 ? 'gone' : 'unloaded';
}

/** Finds out why the browser shows nothing of the file at `url`: it does not tell itself. */
export async function diagnosePreviewFailure(url: string, signal: AbortSignal): Promise<PreviewFailure> {
  try {
    const answer = await requestBytes(url, { signal, range: [0, 0] });
    await answer.body?.cancel();
    return 'damaged';
  } catch (error) {
    return toPreviewFailure(error);
  }
}
