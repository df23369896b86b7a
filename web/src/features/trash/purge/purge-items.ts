import {
  cancelPurge,
  purgeTrash,
  type PurgeRequest,
  type TrashItem,
} from '@filestead/contract/endpoints/trash';
import { call } from '../../../api/call.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import type { TrashHost } from '../trash-host.ts';
import { TrashModel } from '../trash-model.ts';
import type { PurgeQuestion } from '../trash-targets.ts';
import { totalSize, trashText, type TotalSize } from '../trash-texts.ts';

/** The number and size of the items of a question. */
export interface PurgeExtent {
  readonly count: number;
  readonly size: TotalSize;
  /** The number of items that stay, because others deleted them. */
  readonly staying: number;
}

const extentOf = (items: readonly TrashItem[], staying = 0): PurgeExtent => ({
  count: items.length,
  size: totalSize(items),
  staying,
});

/**
 * Returns how much a question is about. For everything, the list is used if it is complete, otherwise loaded. Throws
 * `ApiError`.
 */
export async function measurePurge(
  question: PurgeQuestion,
  shown: TrashModel,
  signal: AbortSignal,
): Promise<PurgeExtent> {
  if (question.kind === 'items') return extentOf(question.items);
  const isComplete = shown.phase === 'ready' && !shown.filter.isMine && shown.filter.query === '';
  const all = isComplete ? shown : new TrashModel();
  if (!isComplete) {
    signal.addEventListener('abort', () => all.stop());
    await all.show({ isMine: false, query: '' });
    signal.throwIfAborted();
    if (all.phase === 'failed' || all.phase === 'truncated') throw all.error;
  }
  const removable = all.items.filter(({ canPurge }) => canPurge);
  return extentOf(removable, all.items.length - removable.length);
}

/**
 * Deletes the items of a question forever, and offers for a few seconds to undo it. Throws `ApiError`.
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
