import { errorStatus } from '@filestead/contract/errors';
import { createJob, type JobDetails, type JobRequest } from '@filestead/contract/jobs';
import { childOf, nameOf, virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import {
  archiveExtensionOf,
  archiveFormatNames,
  type ArchiveFormat,
} from '@filestead/contract/values/archive-formats';
import { ApiError, call } from '../../../api/call.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { i18n, loadTexts } from '../../../i18n/i18n.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { announceChange } from '../entries/changes.ts';
import type { FileEntry } from '../entries/entry.ts';
import { stemEnd } from '../entries/name-check.ts';
import { folderName } from '../../../i18n/folder-name.ts';
import { toastDone, toastFailure } from '../feedback/toasts.ts';
import type { FolderSession } from '../folder/folder-session.ts';
import type { JobNote } from '../jobs/job-store.ts';
import { showReport } from '../jobs/reports.ts';
import { followJob } from '../jobs/run-job.ts';
import { openPrompt } from '../prompts/prompt-store.ts';

const text = i18n.translatorOf('jobs');

/** Creates a job and waits for its end. Throws `ApiError` when it cannot be created or has failed as a whole. */
async function runArchiveJob(request: JobRequest, note: JobNote): Promise<JobDetails> {
  const details = await followJob(await call(createJob, { body: request }), note);
  const failure = details.failures.at(-1);
  if (details.state === 'failed' && failure !== undefined)
    throw new ApiError(errorStatus[failure.code], failure.code, { detail: failure.detail });
  return details;
}

const resultsOf = ({ results }: JobDetails): VirtualPath[] =>
  results.flatMap(({ to }) => (to === undefined ? [] : [virtualPath(to)]));

/** Returns the name of the folder into which an archive is extracted. */
export const folderOfArchive = (name: string): string =>
  name.slice(0, name.length - (archiveExtensionOf(name) ?? '').length);

/** Extracts the selected archives, each into a folder of its own beside it. Throws nothing. */
export function extractHere(session: FolderSession): void {
  void extractArchives(session.path, session.selectedEntries());
}

/**
 * Extracts archives into `folder`. Resolves to the folder of the first one once the job has ended, and to null if nothing
 * was extracted. Throws nothing.
 */
export async function extractArchives(
  folder: VirtualPath,
  archives: readonly Pick<FileEntry, 'name' | 'path'>[],
): Promise<VirtualPath | null> {
  const [only, ...others] = archives;
  if (only === undefined) return null;
  await loadTexts('jobs');
  const name = others.length === 0 ? only.name : '';
  const items = archives.map((archive) => ({
    from: archive.path,
    to: childOf(folder, folderOfArchive(archive.name)),
    rename: true,
  }));
  try {
    const details = await runArchiveJob({ kind: 'extract', items }, { name, destination: null });
    const folders = resultsOf(details);
    const [first] = folders;
    announceChange({ folders: [folder], reveal: folders });
    if (details.failures.length > 0) {
      const { id, kind, failures, entries } = details;
      const total = Math.max(entries.total ?? 0, failures.length);
      showReport({ id, kind, total, failed: failures.length, failures });
    }
    if (details.state === 'cancelled' || first === undefined) return null;
    const message =
      name === ''
        ? text('archives.extractedMany', pluralValues(folders.length))
        : text('archives.extractedOne', { name: isolateBidi(name), folder: folderName(first) });
    toastDone(message, [details.id]);
    return first;
  } catch (error) {
    announceChange({ folders: [folder] });
    const message =
      name === ''
        ? text('archives.notExtractedMany', {
            ...pluralValues(archives.length),
            total: pluralValues(archives.length).number,
          })
        : text('archives.notExtractedOne', { name: isolateBidi(name) });
    toastFailure(message, error, () => void extractArchives(folder, archives));
    return null;
  }
}

/** Asks for the name and the format of an archive of the selected entries, and creates it. */
export function compressInDialog(session: FolderSession): void {
  const entries = session.selectedEntries();
  const [only, ...others] = entries;
  if (only === undefined) return;
  void loadTexts('jobs').then(() =>
    openPrompt({
      kind: 'compress',
      folder: session.path,
      name: others.length === 0 ? only.name : '',
      count: entries.length,
      suggestion: suggestedStem(session.path, entries),
      onChosen: (stem, format) => void compressEntries(session.path, entries, stem, format),
    }),
  );
}

/** Returns the suggested name of an archive: that of the only entry, or of the folder. */
function suggestedStem(folder: VirtualPath, [only, ...others]: readonly FileEntry[]): string {
  if (only !== undefined && others.length === 0) return only.name.slice(0, stemEnd(only.name, only.isFolder));
  return nameOf(folder) || text('archives.defaultName');
}

async function compressEntries(
  folder: VirtualPath,
  entries: readonly FileEntry[],
  stem: string,
  format: ArchiveFormat,
): Promise<void> {
  const name = `${stem}${archiveFormatNames[format].extension}`;
  const request: JobRequest = {
    kind: 'compress',
    items: entries.map(({ path }) => ({ from: path })),
    to: childOf(folder, name),
    format,
    rename: true,
  };
  try {
    const only = entries.length === 1 ? entries[0] : undefined;
    const details = await runArchiveJob(request, { name: only?.name ?? '', destination: null });
    const [created] = resultsOf(details);
    announceChange({ folders: [folder], reveal: created === undefined ? [] : [created] });
    if (created !== undefined)
      toastDone(text('archives.compressed', { name: isolateBidi(nameOf(created)) }), [details.id]);
  } catch (error) {
    announceChange({ folders: [folder] });
    toastFailure(
      text('archives.notCompressed', { name: isolateBidi(name) }),
      error,
      () => void compressEntries(folder, entries, stem, format),
    );
  }
}
