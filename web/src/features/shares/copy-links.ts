import { pluralValues } from '../../i18n/format.ts';
import { i18n } from '../../i18n/i18n.ts';
import { copyAddress } from '../../ui/copy-address.ts';
import { copyText } from '../../ui/copy-text.ts';
import { showToast } from '../../ui/feedback/toast.ts';

/** Copies the addresses of several shares, one per line, and reports the result. Returns false if the browser does not allow it. */
export async function copyLinks(addresses: readonly string[]): Promise<boolean> {
  const [first] = addresses;
  if (first !== undefined && addresses.length === 1) return copyAddress(first);
  const isCopied = await copyText(addresses.join('\n'));
  if (isCopied) {
    const message = i18n.t('shared.copied', { ns: 'shares', ...pluralValues(addresses.length) });
    showToast({ tone: 'success', message });
  } else showToast({ tone: 'error', message: i18n.t('copyFailed', { ns: 'shares' }) });
  return isCopied;
}
