import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { rawUrl } from '../../../api/urls.ts';
import { followDownload } from '../../../ui/follow-download.ts';
import { lazyPart, loadOrReport } from '../../../ui/overlays/lazy-part.ts';
import type { FileEntry } from '../entries/entry.ts';
import { type ArchiveContent, openPrompt } from '../prompts/prompt-store.ts';

const archives = lazyPart(() => import('./download-archive.ts'));

const contentOf = (entries: readonly FileEntry[]): ArchiveContent => ({
  paths: entries.map(({ path }) => path),
  name: (entries.length === 1 && entries[0]?.name) || '',
});
const folderContent = (path: VirtualPath): ArchiveContent => ({ paths: [path], name: nameOf(path) });

async function downloadContent(content: ArchiveContent): Promise<void> {
  await (await loadOrReport(archives))?.downloadInLastFormat(content);
}

/** Downloads a single file as it is, and folders or several entries as an archive in the format that was chosen last. */
export function downloadEntries(entries: readonly FileEntry[]): void {
  const [first] = entries;
  if (!first) return;
  if (entries.length === 1 && !first.isFolder) followDownload(rawUrl(first.path), first.name);
  else void downloadContent(contentOf(entries));
}

/** Downloads a whole folder as an archive in the format that was chosen last. */
export const downloadFolder = (path: VirtualPath): void => void downloadContent(folderContent(path));

/** Asks for the format of an archive of entries, or of the folder without any, and downloads it. */
export function downloadInFormat(entries: readonly FileEntry[], folder: VirtualPath): void {
  openPrompt({ kind: 'download', ...(entries.length > 0 ? contentOf(entries) : folderContent(folder)) });
}
