import { maxMarkedAtOnce } from '@filestead/contract/values/limits';
import type { MarksChange } from '@filestead/contract/endpoints/marks';
import { isApiError } from '../../api/call.ts';
import type { FileEntry } from '../../features/files/entries/entry.ts';
import { transferFailureReason } from '../../features/files/feedback/failure.ts';
import { addAction } from '../../features/files/feedback/undo.ts';
import { applyMarks, loadMarks, useMarks } from '../../features/marks/marks-store.ts';
import { pluralValues } from '../../i18n/format.ts';
import { i18n } from '../../i18n/i18n.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { openTagPrompt } from './tag-prompt-store.ts';

/** An entry whose marks are changed. */
export type Markable = Pick<FileEntry, 'name' | 'path'>;

const text = (key: 'done.tagAdded' | 'done.tagRemoved', tag: string): string =>
  i18n.t(key, { ns: 'marks', tag: isolateBidi(tag) });

/** Returns the message that entries were added to the favorites, or removed from them. */
function favoriteText(entries: readonly Markable[], isAdded: boolean): string {
  const act = isAdded ? 'added' : 'removed';
  const [first] = entries;
  if (entries.length === 1 && first)
    return i18n.t(`done.${act}One`, { ns: 'marks', name: isolateBidi(first.name) });
  return i18n.t(`done.${act}Many`, { ns: 'marks', ...pluralValues(entries.length) });
}

/** The reason why marks could not be changed. */
export const failureOf = (error: unknown): string =>
  isApiError(error, 'too_many_marks')
    ? i18n.t('failed.tooMany', { ns: 'marks' })
    : `${i18n.t('failed.change', { ns: 'marks' })} ${transferFailureReason(error)}`;

/** Notifies the user that marks could not be changed. */
export const reportFailure = (error: unknown): number =>
  showToast({ tone: 'error', message: failureOf(error) });

/** Sends a change in requests of the largest allowed size. Throws `ApiError`. */
async function send(entries: readonly Markable[], change: Omit<MarksChange, 'paths'>): Promise<void> {
  for (let first = 0; first < entries.length; first += maxMarkedAtOnce) {
    const paths = entries.slice(first, first + maxMarkedAtOnce).map(({ path }) => path);
    await applyMarks({ ...change, paths });
  }
}

/** Adds entries to the favorites or removes them, and returns the message. Throws `ApiError`. */
async function setFavorite(entries: readonly Markable[], isAdded: boolean): Promise<string> {
  await send(entries, { favorite: isAdded });
  return favoriteText(entries, isAdded);
}

/** Runs a change, shows its message and registers `undo`, after which the change can be repeated. Failures are reported. */
async function run(change: () => Promise<string>, undo: () => Promise<string>): Promise<void> {
  try {
    const message = await change();
    addAction(undo, change);
    showToast({ tone: 'success', message });
  } catch (error) {
    reportFailure(error);
  }
}

/** Adds entries to the favorites; if all of them are favorites, removes them. */
export async function toggleFavorite(entries: readonly Markable[]): Promise<void> {
  if (entries.length === 0) return;
  try {
    if (useMarks.getState().favorites === null) await loadMarks();
  } catch (error) {
    reportFailure(error);
    return;
  }
  const favorites = new Set((useMarks.getState().favorites ?? []).map(({ path }) => path));
  const others = entries.filter(({ path }) => !favorites.has(path));
  const isAdded = others.length > 0;
  const changed = isAdded ? others : entries;
  await run(
    () => setFavorite(changed, isAdded),
    () => setFavorite(changed, !isAdded),
  );
}

/** Adds entries to the favorites, as when they are dropped there. */
export async function addFavorites(entries: readonly Markable[]): Promise<void> {
  if (entries.length === 0) return;
  await run(
    () => setFavorite(entries, true),
    () => setFavorite(entries, false),
  );
}

/** Adds a tag to the entries `changed`, or removes it from them. Resolves with the reason of a failure. */
export async function changeTag(
  changed: readonly Markable[],
  tag: string,
  isAdded: boolean,
): Promise<string | null> {
  const set = async (isOn: boolean): Promise<string> => {
    await send(changed, isOn ? { addTags: [tag] } : { removeTags: [tag] });
    return text(isOn ? 'done.tagAdded' : 'done.tagRemoved', tag);
  };
  try {
    await set(isAdded);
    addAction(
      () => set(!isAdded),
      () => set(isAdded),
    );
    return null;
  } catch (error) {
    return failureOf(error);
  }
}

/** Opens the dialog that edits the tags of entries. */
export function editTags(entries: readonly Markable[]): void {
  if (entries.length > 0) openTagPrompt(entries);
}
