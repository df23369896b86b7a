import { type Share, listSharesOfPath } from '@filestead/contract/shares';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useCallback } from 'react';
import { call } from '../../../api/call.ts';
import { isExpired, shareUrl } from '../../../api/public-share.ts';
import { expiryText } from '../../../i18n/expiry.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { loadTexts } from '../../../i18n/i18n.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { copyAddress } from '../../../ui/copy-address.ts';
import { Copy, Link2, Users } from '../../../ui/icons.ts';
import { useReady } from '../../../ui/hooks/use-loaded.ts';
import styles from './details-panel.module.css';

/** The number of shares that are listed; the dialog has all of them. */
const maxShares = 2;

/** The shares of an entry with their visits and expiry, or the offer to create the first one; nothing while they are unknown. */
export function EntryShares({ path, onEdit }: { path: VirtualPath; onEdit: () => void }) {
  const { t } = useTranslation(['shares', 'home', 'files']);
  const shares = useSharesOf(path);
  if (shares === null) return null;
  if (shares.length === 0) {
    return (
      <section className={styles.fold} aria-label={t('home:shared')}>
        <Users aria-hidden="true" />
        <span className={styles.foldText}>{t('notShared')}</span>
        <Button variant="quiet" size="small" onClick={onEdit}>
          {t('files:actions.share')}
        </Button>
      </section>
    );
  }
  return (
    <section className={styles.part} aria-label={t('home:shared')}>
      <div className={styles.partHead}>
        <h3>{t('home:shared')}</h3>
        <Button variant="quiet" size="small" onClick={onEdit}>
          {t('prompt.edit')}
        </Button>
      </div>
      <ul>
        {shares.slice(0, maxShares).map((share) => (
          <li key={share.hash} className={styles.share}>
            <Link2 aria-hidden="true" />
            <span className={styles.lines}>
              <bdi dir="ltr" className={styles.line}>{`…/share/${share.hash}`}</bdi>
              <span className={styles.exact}>
                {[
                  t('shared.visits', pluralValues(share.visits)),
                  expiryText(share),
                  ...(share.hasPassword ? [t('protected')] : []),
                ].join(' · ')}
              </span>
            </span>
            <IconButton
              size="small"
              label={t('prompt.copyNamed', { name: share.hash })}
              icon={<Copy />}
              onClick={() => void copyAddress(shareUrl(share.hash))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Returns the shares of an entry that have not expired; null while they are unknown. */
function useSharesOf(path: VirtualPath): readonly Share[] | null {
  const load = useCallback(
    async (signal: AbortSignal): Promise<readonly Share[]> => {
      const [shares] = await Promise.all([
        call(listSharesOfPath, { path, signal }),
        loadTexts('shares', 'home'),
      ]);
      return shares.filter((share) => !isExpired(share));
    },
    [path],
  );
  return useReady(load);
}
