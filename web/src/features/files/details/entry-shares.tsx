import { type Share, listSharesOfPath } from '@filestead/contract/shares';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useState } from 'react';
import { call } from '../../../api/call.ts';
import { pageConfig } from '../../../api/page-config.ts';
import { formatRelative, pluralValues } from '../../../i18n/format.ts';
import { i18n, loadTexts } from '../../../i18n/i18n.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { copyText } from '../../../ui/copy-text.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import { Copy, Link2 } from '../../../ui/icons.ts';
import styles from './details-panel.module.css';

/** The number of shares that are listed; the dialog has all of them. */
const maxShares = 2;

/** The shares of an entry with their visits and expiry; nothing where it has none. */
export function EntryShares({ path, onEdit }: { path: VirtualPath; onEdit: () => void }) {
  const { t } = useTranslation(['shares', 'home']);
  const shares = useSharesOf(path);
  if (shares.length === 0) return null;
  return (
    <section className={styles.part} aria-label={t('home:shared')}>
      <div className={styles.partHead}>
        <h3>{t('home:shared')}</h3>
        <Button variant="quiet" size="small" onClick={onEdit}>
          {t('prompt.edit')}
        </Button>
      </div>
      <ul>
        {shares.slice(0, maxShares).map((share) => {
          const address = new URL(`${pageConfig.BaseURL}/share/${share.hash}`, window.location.origin).href;
          return (
            <li key={share.hash} className={styles.share}>
              <Link2 aria-hidden="true" />
              <span className={styles.lines}>
                <bdi dir="ltr" className={styles.line}>{`…/share/${share.hash}`}</bdi>
                <span className={styles.exact}>
                  {[
                    t('shared.visits', pluralValues(share.visits)),
                    expiryOf(share),
                    ...(share.hasPassword ? [t('protected')] : []),
                  ].join(' · ')}
                </span>
              </span>
              <IconButton
                size="small"
                label={t('prompt.copyNamed', { name: share.hash })}
                icon={<Copy />}
                onClick={() => void copyAddress(address)}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const expiryOf = ({ expire }: Share): string =>
  expire === 0
    ? i18n.t('shares:neverExpires')
    : i18n.t('shares:expires', { when: formatRelative(expire * 1000, Date.now()) });

async function copyAddress(address: string): Promise<void> {
  const isCopied = await copyText(address);
  showToast(
    isCopied
      ? { tone: 'success', message: i18n.t('shares:linkCopied') }
      : { tone: 'error', message: i18n.t('shares:copyFailed') },
  );
}

/** Returns the shares of an entry that have not expired; none while they are unknown. */
function useSharesOf(path: VirtualPath): readonly Share[] {
  const [loaded, setLoaded] = useState<{ path: VirtualPath; shares: readonly Share[] } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const load = async (): Promise<void> => {
      const [shares] = await Promise.all([
        call(listSharesOfPath, { path, signal }),
        loadTexts('shares', 'home'),
      ]);
      if (signal.aborted) return;
      setLoaded({ path, shares: shares.filter(({ expire }) => expire === 0 || expire * 1000 > Date.now()) });
    };
    // The details are complete without them: the dialog reports why shares cannot be listed.
    load().catch(() => undefined);
    return () => controller.abort();
  }, [path]);
  return loaded?.path === path ? loaded.shares : [];
}
