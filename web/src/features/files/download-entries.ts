import { rawUrl } from '../../api/urls.ts';
import type { FileEntry } from './entry.ts';

/** Browsers drop a download that starts while another one is being asked about. */
const pauseBetweenMs = 400;

/** Saves single files, one after another. The session's cookie goes with each request, so no URL holds a token. */
export async function downloadEntries(entries: readonly FileEntry[]): Promise<void> {
  for (const [index, entry] of entries.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, pauseBetweenMs));
    const link = document.createElement('a');
    link.href = rawUrl(entry.path);
    link.download = entry.name;
    document.body.append(link);
    link.click();
    link.remove();
  }
}
