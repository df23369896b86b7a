import { createArchive, getArchive } from '@filestead/contract/archives';
import type { ArchiveFormat } from '@filestead/contract/values/archive-formats';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { call, urlOf } from '../../../api/call.ts';
import { followDownload } from '../../../ui/follow-download.ts';
import { storedText, storeText } from '../../../ui/browser-storage.ts';
import { transferFailureReason } from '../feedback/failure.ts';
import { type ArchiveContent, openPrompt } from '../prompts/prompt-store.ts';

/** The offered archive formats, the default first (docs/reference/behaviour.md §5). */
export const offeredFormats = [
  'zip',
  'tar',
  'targz',
  'tarbz2',
  'tarxz',
  'tarlz4',
  'tarsz',
] as const satisfies readonly ArchiveFormat[];
export type OfferedFormat = (typeof offeredFormats)[number];

const storageKey = 'filestead.archiveFormat';

/** Returns the format that was last chosen in this browser, else zip. */
export function lastFormat(): OfferedFormat {
  const stored = storedText(storageKey);
  return offeredFormats.find((format) => format === stored) ?? 'zip';
}

/** Downloads a selection of any length as an archive that the server creates. Throws `ApiError`. */
export async function downloadArchive(paths: readonly VirtualPath[], format: OfferedFormat): Promise<void> {
  const { ticket, name } = await call(createArchive, { body: { paths: [...paths], format } });
  storeText(storageKey, format);
  followDownload(urlOf(getArchive, { params: { ticket } }), name);
}

/** Downloads an archive in the format that was chosen last. If the server refuses it, asks for another format with the reason. */
export async function downloadInLastFormat(content: ArchiveContent): Promise<void> {
  try {
    await downloadArchive(content.paths, lastFormat());
  } catch (error) {
    openPrompt({ kind: 'download', ...content, failure: transferFailureReason(error) });
  }
}
