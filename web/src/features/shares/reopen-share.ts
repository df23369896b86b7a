import { updateShare, type Share } from '@filestead/contract/shares';
import { jsonOf, send } from '../../api/call.ts';
import { reportOperation } from '../../api/operation-header.ts';
import { formatEnd, withOnePeriod } from '../../i18n/expiry.ts';
import { i18n } from '../../i18n/i18n.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { initialDuration, isEndless } from './share-duration.ts';
import type { ShareHost } from './share-host.ts';
import { shareFailureText } from './share-texts.ts';

/** The duration of a share that is opened again where new shares do not expire. */
const defaultDuration = { amount: '7', unit: 'days' } as const;

/**
 * Opens an expired share again for the duration of new shares, which is never endless, and reports the result. Returns the
 * share, or null if it failed.
 */
export async function reopenShare(share: Share, host: ShareHost): Promise<Share | null> {
  const initial = initialDuration();
  const { amount, unit } = isEndless(initial) ? defaultDuration : initial;
  try {
    const response = await send(updateShare, {
      params: { hash: share.hash },
      body: { expires: amount, unit },
    });
    const updated = (await jsonOf(response)) as Share;
    reportOperation(response, host.addOperation);
    const message = withOnePeriod(
      i18n.t('shared.reopened', { ns: 'shares', when: formatEnd(updated.expire * 1000) }),
    );
    showToast({ tone: 'success', message });
    // The response about the share of another user does not contain their name.
    return { ...share, ...updated };
  } catch (error) {
    showToast({ tone: 'error', message: shareFailureText(error) });
    return null;
  }
}
