import { deleteShare, type Share } from '@filestead/contract/shares';
import { isApiError, send } from '../../api/call.ts';
import { i18n } from '../../i18n/i18n.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { announceShareChange } from './share-changes.ts';
import type { ShareHost } from './share-host.ts';
import { shareFailureText } from './share-texts.ts';

/**
 * Deletes a share without asking, and reports the result with an undo, which gives the share its address again. Returns whether the
 * share no longer exists. Throws nothing.
 */
export async function removeShare({ hash }: Share, host: ShareHost): Promise<boolean> {
  const message = i18n.t('shareDeleted', { ns: 'shares' });
  try {
    const response = await send(deleteShare, { params: { hash }, query: { expired: 'true' } });
    const operation = response.headers.get('X-Operation');
    if (operation === null) showToast({ tone: 'success', message });
    else host.notifyWithUndo(message, operation);
    announceShareChange();
    return true;
  } catch (error) {
    // The share was deleted elsewhere.
    const isGone = isApiError(error, 'not_found');
    showToast(isGone ? { tone: 'success', message } : { tone: 'error', message: shareFailureText(error) });
    return isGone;
  }
}
