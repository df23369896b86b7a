import { isApiError } from '../../../api/api-error.ts';
import { requestBytes } from './load-bytes.ts';

/** The reason why a file is not shown: it cannot be decoded, it could not be loaded, or it no longer exists. */
export type PreviewFailure = 'damaged' | 'unloaded' | 'gone';

/** Classifies an error that occurred while a file was loaded or parsed. */
export function toPreviewFailure(error: unknown): PreviewFailure {
  if (!isApiError(error)) return 'damaged';
  return error.status === 404 ? 'gone' : 'unloaded';
}

/** Determines why the browser does not show the file at `url`, since its error events give no reason. */
export async function diagnosePreviewFailure(url: string, signal: AbortSignal): Promise<PreviewFailure> {
  try {
    const response = await requestBytes(url, { signal, range: [0, 0] });
    await response.body?.cancel();
    return 'damaged';
  } catch (error) {
    return toPreviewFailure(error);
  }
}
