import type { FolderSession } from '../../features/files/folder/folder-session.ts';
import { EntryMarks } from '../../features/marks/entry-marks.tsx';
import { loadFolderMarks, useMarks } from '../../features/marks/marks-store.ts';

/** The delay before marks are loaded again after entries have changed, in ms. In this time the server recognizes renamed entries. */
const reloadAfterMs = 1500;

/**
 * Shows the marks of the entries of a folder in its rows, and loads them again when marks or entries change, until the returned
 * function is called. Without a connection the rows keep their marks.
 */
export function decorateFolder({ path, model }: FolderSession): () => void {
  const aborting = new AbortController();
  const { signal } = aborting;
  let shown = '';
  let seenVersion = model.orderVersion;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const load = async (): Promise<void> => {
    const marks = await loadFolderMarks(path, signal);
    const text = JSON.stringify([...marks]);
    if (signal.aborted || text === shown) return;
    shown = text;
    model.decorate((name) => {
      const found = marks.get(name);
      return found && <EntryMarks {...found} />;
    });
    seenVersion = model.orderVersion;
  };
  const loadQuietly = (): void => void load().catch(() => undefined);
  loadQuietly();
  const stopMarks = useMarks.subscribe(({ version }, before) => {
    if (version !== before.version) loadQuietly();
  });
  const stopEntries = model.subscribe(() => {
    if (model.orderVersion === seenVersion) return;
    seenVersion = model.orderVersion;
    clearTimeout(timer);
    timer = setTimeout(loadQuietly, reloadAfterMs);
  });
  return () => {
    aborting.abort();
    clearTimeout(timer);
    stopMarks();
    stopEntries();
  };
}
