import {
  cancelPurge,
  purgeTrash,
  type PurgeRequest,
  type TrashItem,
} from '@filestead/contract/endpoints/trash';
import { call } from '../../../api/call.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { everything, isRestricted } from '../load-trash.ts';
import type { TrashHost } from '../trash-host.ts';
import { TrashModel } from '../trash-model.ts';
import type { PurgeQuestion } from '../trash-targets.ts';
import { totalSize, trashText, type TotalSize } from '../trash-texts.ts';

/** The number and size of the items that a dialog asks about. */
export interface PurgeSummary {
  readonly count: number;
  readonly size: TotalSize;
  /** The number of items that stay, because other users deleted them. */
  readonly staying: number;
}

const summaryOf = (items: readonly TrashItem[], staying = 0): PurgeSummary => ({
  count: items.length,
  size: totalSize(items),
  staying,
});

/**
 * Measures the items that a dialog asks about. For all items, uses the shown list if it is complete, otherwise loads it. Throws
 * `ApiError`.
 */
export async function measurePurge(
  question: PurgeQuestion,
  shown: TrashModel,
  signal: AbortSignal,
): Promise<PurgeSummary> {
  if (question.kind === 'items') return summaryOf(question.items);
  const isComplete = shown.phase === 'ready' && !isRestricted(shown.filter);
  const all = isComplete ? shown : new TrashModel();
  if (!isComplete) {
    signal.addEventListener('abort', () => all.stop());
    await all.show(everything);
    signal.throwIfAborted();
    if (all.phase === 'failed' || all.phase === 'truncated') throw all.error;
  }
  const removable = all.items.filter(({ canPurge }) => canPurge);
  return summaryOf(removable, all.items.length - removable.length);
}

/**
 * Deletes forever the items that the user confirmed, and offers to undo that for a few seconds. Throws `ApiError`.
 */
export async function purge(question: PurgeQuestion, model: TrashModel, host: TrashHost): Promise<void> {
  const body: PurgeRequest =
    question.kind === 'all' ? { all: true } : { ids: question.items.map(({ id }) => id) };
  const { ids, count } = await call(purgeTrash, { body });
  model.remove(new Set(ids));
  const [only] = question.kind === 'items' && count === 1 ? question.items : [];
  const message = only
    ? trashText('purgedOne', { name: isolateBidi(only.name) })
    : trashText('purgedMany', pluralValues(count));
  host.notifyWithUndo(message, async () => {
    await call(cancelPurge, { body: { ids } });
    await model.reload();
    return trashText('purgeUndone', pluralValues(ids.length));
  });
}
