import { listShares, type Share } from '@filestead/contract/shares';
import { useCallback, useDeferredValue, useMemo, useState, type ReactNode } from 'react';
import { call } from '../../../api/call.ts';
import { isExpired } from '../../../ui/public-share.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { useDelayedFlag } from '../../../ui/hooks/use-delayed-flag.ts';
import { Link2 } from '../../../ui/icons.ts';
import { ShareDialog } from '../dialog/share-dialog.tsx';
import { RetryMessage } from '../retry-message.tsx';
import type { ShareHost } from '../share-host.ts';
import type { ShareTarget } from '../share-target.ts';
import { shareFailureText } from '../share-texts.ts';
import { useShares } from '../use-shares.ts';
import { isSoon, OwnSharesList, targetOf, visitsOf } from './own-shares-list.tsx';
import styles from './own-shares-page.module.css';

type Filter = 'soon' | 'password';

export interface OwnSharesPageProps {
  /** The text that the path has to contain. */
  query: string;
  /** Returns the address of an entry, or of the folder that contains it. */
  addressOf: (target: ShareTarget) => string;
  /** Opens the folder of an entry. */
  onReveal: (target: ShareTarget) => void;
  host: ShareHost;
  /** Content after the filters. */
  end?: ReactNode;
}

/** The list of the user's own shares with visits, expiry and password, and the dialog that edits them. */
export function OwnSharesPage({ query, addressOf, onReveal, host, end }: OwnSharesPageProps) {
  const { t } = useTranslation('shares');
  const fetchShares = useCallback(
    (signal: AbortSignal) => call(listShares, { query: { own: 'true', expired: 'true' }, signal }),
    [],
  );
  const { list, reopen, remove, retry } = useShares(fetchShares, host);
  const isSlow = useDelayedFlag(list.kind === 'loading');
  const [filters, setFilters] = useState<readonly Filter[]>([]);
  const [editing, setEditing] = useState<{ number: number; share: Share; isOpen: boolean } | null>(null);
  const shares = useMemo(
    () => (list.kind === 'shown' ? list.shares.toSorted((one, other) => other.created - one.created) : []),
    [list],
  );
  const needle = useDeferredValue(query).trim().toLocaleLowerCase();
  const matching = shares.filter(
    (share) =>
      share.path.toLocaleLowerCase().includes(needle) && filters.every((filter) => passes(share, filter)),
  );
  const toggle = (filter: Filter) =>
    setFilters(filters.includes(filter) ? filters.filter((other) => other !== filter) : [...filters, filter]);
  const edit = (share: Share) => setEditing({ number: (editing?.number ?? 0) + 1, share, isOpen: true });
  const reopenAndEdit = async (share: Share) => {
    const reopened = await reopen(share);
    if (reopened !== null) edit(reopened);
  };
  const closeEditor = () => {
    setEditing(editing && { ...editing, isOpen: false });
    // Its options, visits, and further shares may have changed.
    retry();
  };
  const isShown = list.kind === 'shown' && shares.length > 0;
  const active = matching.filter((share) => !isExpired(share));
  const expired = matching.filter((share) => isExpired(share));
  return (
    <div className={styles.page}>
      {(isShown || end) && (
        <div className={styles.filters}>
          {isShown && (
            <span className={styles.chips}>
              <Chip isOn={filters.includes('soon')} onToggle={() => toggle('soon')}>
                {t('shared.soon')}
              </Chip>
              <Chip isOn={filters.includes('password')} onToggle={() => toggle('password')}>
                {t('shared.withPassword')}
              </Chip>
            </span>
          )}
          <span className={styles.end}>{end}</span>
        </div>
      )}
      <div className={styles.scroller}>
        {list.kind === 'loading' && isSlow && (
          <p role="status" className={styles.message}>
            {t('loading', { ns: 'common' })}
          </p>
        )}
        {list.kind === 'failed' && (
          <div className={styles.message}>
            <RetryMessage text={t('failed.list', { reason: shareFailureText(list.error) })} onRetry={retry} />
          </div>
        )}
        {list.kind === 'shown' && shares.length === 0 && (
          <EmptyState icon={<Link2 />} title={t('page.empty')}>
            {t('page.emptyHint')}
          </EmptyState>
        )}
        {isShown && matching.length === 0 && <p className={styles.message}>{t('shared.noMatch')}</p>}
        {matching.length > 0 && (
          <OwnSharesList
            active={active}
            expired={expired}
            addressOf={addressOf}
            onReveal={onReveal}
            onEdit={edit}
            onReopen={(share) => void reopenAndEdit(share)}
            onDelete={(share) => void remove(share)}
          />
        )}
      </div>
      {isShown && (
        <p className={styles.footer} role="status">
          {t('shared.links', { count: matching.length, number: formatNumber(matching.length) })}
          {', '}
          {t('shared.visits', visitsOf(matching))}
        </p>
      )}
      {editing && (
        <ShareDialog
          key={editing.number}
          target={targetOf(editing.share)}
          shownHash={editing.share.hash}
          host={host}
          isOpen={editing.isOpen}
          onClose={closeEditor}
        />
      )}
    </div>
  );
}

const passes = (share: Share, filter: Filter): boolean =>
  filter === 'soon' ? isSoon(share) : share.hasPassword;

function Chip({ isOn, onToggle, children }: { isOn: boolean; onToggle: () => void; children: string }) {
  return (
    <button type="button" className={styles.chip} aria-pressed={isOn} onClick={onToggle}>
      {children}
    </button>
  );
}
