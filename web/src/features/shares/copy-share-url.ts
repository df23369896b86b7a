import { i18n } from '../../i18n/i18n.ts';
import { copyText } from '../../ui/copy-text.ts';
import { showToast } from '../../ui/feedback/toast.ts';

/**
 * Copies an address to the clipboard and notifies the user. If the browser refuses, `field` gets the focus so that the
 * user can copy by hand.
 */
export async function copyShareUrl(address: string, field?: HTMLInputElement | null): Promise<void> {
  const isCopied = await copyText(address);
  if (!isCopied && field) {
    field.focus();
    field.select();
  }
  showToast(
    isCopied
      ? { tone: 'success', message: i18n.t('linkCopied', { ns: 'shares' }) }
      : { tone: 'error', message: i18n.t('copyFailed', { ns: 'shares' }) },
  );
}
