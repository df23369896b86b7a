import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { rawUrl } from '../../../api/urls.ts';
import type { FileEntry } from '../entries/entry.ts';
import { followDownload } from '../../../ui/follow-download.ts';
import { openPrompt } from '../prompts/prompt-store.ts';

/** Downloads a single file directly; asks for the archive format of folders and several entries. */
export function downloadEntries(entries: readonly FileEntry[]): void {
  const [first] = entries;
  if (!first) return;
  if (entries.length === 1 && !first.isFolder) {
    followDownload(rawUrl(first.path), first.name);
    return;
  }
  openPrompt({
    kind: 'download',
    paths: entries.map(({ path }) => path),
    name: entries.length === 1 ? first.name : '',
  });
}

/** Asks for the archive format and downloads a whole folder. */
export function downloadFolder(path: VirtualPath): void {
  openPrompt({ kind: 'download', paths: [path], name: nameOf(path) });
}
