import { rootPath } from '@filestead/contract/paths/virtual-path';
import type { FolderSession } from '../../features/files/folder/folder-session.ts';
import { ArrivalNote } from '../../features/files/live/arrival-note.tsx';
import { sendersOf } from '../history/senders-of.ts';
import { useOwnShares } from '../shares/own-shares.ts';
import { EntryMarks } from '../../features/marks/entry-marks.tsx';
import { type EntryMarks as Marks, loadFolderMarks, useMarks } from '../../features/marks/marks-store.ts';

/** The delay before it is asked who has added new entries, in ms: their operations are logged then, and several share a request. */
const askSendersAfterMs = 250;

/** The delay before marks are loaded again after entries have changed, in ms. In this time the server recognizes renamed entries. */
const reloadAfterMs = 1500;

/**
 * Shows the marks and shares of the entries of a folder in its rows, and who has just added them. Loads marks again when these or
 * entries change, until the returned function is called. Without a connection the rows keep their marks.
 */
export function decorateFolder({ path, model }: FolderSession): () => void {
  const aborting = new AbortController();
  const { signal } = aborting;
  let shown = '';
  let known: ReadonlyMap<string, Marks> = new Map();
  let seenVersion = model.orderVersion;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let senders: ReadonlyMap<string, string> = new Map();
  let askedFor: ReadonlySet<number> = new Set();
  let sendersTimer: ReturnType<typeof setTimeout> | undefined;
  const load = async (): Promise<void> => {
    const marks = await loadFolderMarks(path, signal);
    const text = JSON.stringify([...marks]);
    if (signal.aborted || text === shown) return;
    shown = text;
    known = marks;
    show();
  };
  const show = (): void => {
    const { paths } = useOwnShares.getState();
    const prefix = path === rootPath ? '/' : `${path}/`;
    model.decorate((name) => {
      const found = known.get(name);
      const isShared = paths.has(prefix + name);
      const id = model.arrived.size > 0 ? model.find(name) : null;
      return (
        <>
          {id !== null && model.arrived.has(id) && !model.isSelected(id) && (
            <ArrivalNote from={senders.get(name)} />
          )}
          {(found ?? isShared) && <EntryMarks favorite={false} tags={[]} {...found} isShared={isShared} />}
        </>
      );
    });
    seenVersion = model.orderVersion;
  };
  /** Shows that entries are new, and asks who has added them; without a response they are new all the same. */
  const showArrivals = (): void => {
    const { arrived } = model;
    if (arrived.size === 0 || [...arrived].every((id) => askedFor.has(id))) return;
    askedFor = new Set(arrived);
    show();
    clearTimeout(sendersTimer);
    sendersTimer = setTimeout(() => void askSenders().catch(() => undefined), askSendersAfterMs);
  };
  const askSenders = async (): Promise<void> => {
    const names = new Set([...model.arrived].map((id) => model.name(id)));
    senders = await sendersOf(path, names, signal);
    if (senders.size > 0 && !signal.aborted) show();
  };
  if (useOwnShares.getState().paths.size > 0) show();
  const loadQuietly = (): void => void load().catch(() => undefined);
  loadQuietly();
  const stopMarks = useMarks.subscribe(({ version }, before) => {
    if (version !== before.version) loadQuietly();
  });
  const stopShares = useOwnShares.subscribe(({ paths }, before) => {
    if (paths !== before.paths) show();
  });
  const stopEntries = model.subscribe(() => {
    showArrivals();
    if (model.orderVersion === seenVersion) return;
    seenVersion = model.orderVersion;
    clearTimeout(timer);
    timer = setTimeout(loadQuietly, reloadAfterMs);
  });
  return () => {
    aborting.abort();
    clearTimeout(timer);
    clearTimeout(sendersTimer);
    stopMarks();
    stopShares();
    stopEntries();
  };
}
