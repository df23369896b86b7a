import { deleteShare, type Share } from '@filestead/contract/shares';
import { isApiError, send } from '../../api/call.ts';
import { pluralValues } from '../../i18n/format.ts';
import { i18n } from '../../i18n/i18n.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { announceShareChange } from './share-changes.ts';
import type { ShareHost } from './share-host.ts';
import { shareFailureText } from './share-texts.ts';

/**
 * Deletes shares without asking, and reports the result with an undo, which gives them their addresses again. Returns those that
 * no longer exist. Throws nothing.
 */
export async function removeShares(shares: readonly Share[], host: ShareHost): Promise<readonly Share[]> {
  const gone: Share[] = [];
  const operations: string[] = [];
  let failure: unknown;
  for (const share of shares) {
    try {
      const { hash } = share;
      const response = await send(deleteShare, { params: { hash }, query: { expired: 'true' } });
      const operation = response.headers.get('X-Operation');
      if (operation !== null) operations.push(operation);
      gone.push(share);
    } catch (error) {
      // The share was deleted elsewhere.
      if (isApiError(error, 'not_found')) gone.push(share);
      else failure ??= error;
    }
  }
  if (gone.length > 0) {
    const message =
      gone.length === 1
        ? i18n.t('shareDeleted', { ns: 'shares' })
        : i18n.t('shared.deleted', { ns: 'shares', ...pluralValues(gone.length) });
    if (operations.length === 0) showToast({ tone: 'success', message });
    else host.notifyWithUndo(message, operations);
    announceShareChange();
  }
  if (failure !== undefined) showToast({ tone: 'error', message: shareFailureText(failure) });
  return gone;
}
