import { i18n } from '../i18n/i18n.ts';
import { copyText } from './copy-text.ts';
import { showToast } from './feedback/toast.ts';

/** Copies an address to the clipboard and reports the result in a toast. Returns false if the browser does not allow it. Needs the texts `shares`. */
export async function copyAddress(address: string): Promise<boolean> {
  const isCopied = await copyText(address);
  if (isCopied) showAddressCopied();
  else showToast({ tone: 'error', message: i18n.t('copyFailed', { ns: 'shares' }) });
  return isCopied;
}

/** Reports that an address was copied. */
export function showAddressCopied(): void {
  showToast({ tone: 'success', message: i18n.t('linkCopied', { ns: 'shares' }) });
}
