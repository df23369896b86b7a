import { listShares, type Share } from '@filestead/contract/shares';
import { useCallback, useDeferredValue, useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { call } from '../../../api/call.ts';
import { isExpired, shareUrl } from '../../../api/public-share.ts';
import { describeExpiry, formatEnd } from '../../../i18n/expiry.ts';
import { formatDateExact, formatNumber, pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { copyAddress } from '../../../ui/copy-address.ts';
import { Copy, Lock, Search, Trash2 } from '../../../ui/icons.ts';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import { fileKind } from '../../../ui/names/file-kind.ts';
import { ListFooter } from '../../../ui/list-footer.tsx';
import { Table, type TableColumn } from '../../../ui/table.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { useDelayedFlag } from '../../../ui/hooks/use-delayed-flag.ts';
import { useIsPhone } from '../../../ui/hooks/use-media-query.ts';
import type { ShareHost } from '../share-host.ts';
import { targetOf } from '../share-target.ts';
import { RetryMessage } from '../retry-message.tsx';
import { shareFailureText } from '../share-texts.ts';
import styles from './shares-page.module.css';
import { useShares } from '../use-shares.ts';

/** The minimum number of shares for which a search field is shown. */
const searchThreshold = 8;
/** The number of rows rendered at first, and added with each step. */
const pageSize = 100;

interface SharesPageProps {
  /** Whether the user sees the shares of all users, with their names. */
  isAdmin: boolean;
  host: ShareHost;
}

/** The shares that the user may delete: their own, or all (docs/reference/behaviour.md §2). */
export function SharesPage({ isAdmin, host }: SharesPageProps) {
  const { t } = useTranslation('shares');
  const fetchShares = useCallback(
    (signal: AbortSignal) => call(listShares, { query: { expired: 'true' }, signal }),
    [],
  );
  const { list, reopen, remove, retry } = useShares(fetchShares, host);
  const isSlow = useDelayedFlag(list.kind === 'loading');
  return (
    <div className={styles.page}>
      {list.kind === 'loading' && isSlow && (
        <p role="status" className={styles.note}>
          {t('loading', { ns: 'common' })}
        </p>
      )}
      {list.kind === 'failed' && (
        <div className={styles.note}>
          <RetryMessage text={t('failed.list', { reason: shareFailureText(list.error) })} onRetry={retry} />
        </div>
      )}
      {list.kind === 'shown' &&
        (list.shares.length === 0 ? (
          <EmptyState illustration="shares" title={t('page.empty')}>
            {t('page.emptyHint')}
          </EmptyState>
        ) : (
          <SharesTable
            // The expired ones come last.
            shares={list.shares.toSorted((one, other) => Number(isExpired(one)) - Number(isExpired(other)))}
            isAdmin={isAdmin}
            onReopen={(share) => void reopen(share)}
            onDelete={(share) => void remove(share)}
          />
        ))}
    </div>
  );
}

interface SharesTableProps {
  shares: readonly Share[];
  isAdmin: boolean;
  onReopen: (share: Share) => void;
  onDelete: (share: Share) => void;
}

function SharesTable({ shares, isAdmin, ...handlers }: SharesTableProps) {
  const { t } = useTranslation('shares');
  const isPhone = useIsPhone();
  const [filter, setFilter] = useState('');
  const [limit, setLimit] = useState(pageSize);
  const needle = useDeferredValue(filter).trim().toLocaleLowerCase();
  const matching = shares.filter(({ path, username = '' }) =>
    `${path}\n${username}`.toLocaleLowerCase().includes(needle),
  );
  const shown = matching.slice(0, limit);
  return (
    <>
      {shares.length >= searchThreshold && (
        <TextField
          className={styles.search}
          label={t('page.search')}
          isLabelHidden
          type="search"
          icon={<Search />}
          placeholder={t('page.search')}
          value={filter}
          onChange={setFilter}
        />
      )}
      {isPhone ? (
        <ul className={styles.cards} aria-label={t('page.title')}>
          {shown.map((share) => (
            <li key={share.hash} className={styles.card}>
              <SharedPath share={share} />
              <span className={styles.metadata}>
                <Expiry share={share} />
                {isAdmin && <bdi>{ownerOf(share)}</bdi>}
              </span>
              <Actions share={share} {...handlers} />
            </li>
          ))}
        </ul>
      ) : (
        shown.length > 0 && (
          <Table
            label={t('page.title')}
            columns={columnsOf(t, isAdmin, handlers)}
            rows={shown}
            rowKey={({ hash }) => hash}
          />
        )
      )}
      {matching.length > limit && (
        <Button className={styles.more} onClick={() => setLimit(limit + pageSize)}>
          {t('page.showMore', pluralValues(matching.length - limit))}
        </Button>
      )}
      <ListFooter>
        <p>
          <span role="status">
            {t('page.found', { count: matching.length, number: formatNumber(matching.length) })}
          </span>{' '}
          · {t(isAdmin ? 'page.introAdmin' : 'page.intro')}
        </p>
      </ListFooter>
    </>
  );
}

type Translate = ReturnType<typeof useTranslation<'shares'>>['t'];

const ownerOf = ({ username, userID }: Share): string => username ?? formatNumber(userID);

function columnsOf(
  t: Translate,
  isAdmin: boolean,
  handlers: Pick<SharesTableProps, 'onReopen' | 'onDelete'>,
): readonly TableColumn<Share>[] {
  const owner: TableColumn<Share> = {
    id: 'username',
    header: t('page.username'),
    cell: (share) => <bdi>{ownerOf(share)}</bdi>,
  };
  return [
    { id: 'path', header: t('page.path'), isRowHeader: true, cell: (share) => <SharedPath share={share} /> },
    { id: 'duration', header: t('page.duration'), cell: (share) => <Expiry share={share} /> },
    ...(isAdmin ? [owner] : []),
    {
      id: 'actions',
      header: t('page.actions'),
      isHeaderHidden: true,
      align: 'end',
      cell: (share) => <Actions share={share} {...handlers} />,
    },
  ];
}

/** The icon of a shared entry, and its path. */
function SharedPath({ share }: { share: Share }) {
  const { name, isFolder } = targetOf(share);
  return (
    <span className={styles.shared}>
      <FileIcon kind={fileKind({ name, type: isFolder ? '' : 'blob', isFolder })} size={24} />
      <PathLink share={share} />
    </span>
  );
}

/** A link to the public page of a share, which an expired share does not have. */
function PathLink({ share }: { share: Share }) {
  const { hash, path } = share;
  if (isExpired(share)) {
    return (
      <bdi className={styles.path} data-expired="" title={displayName(path)}>
        {displayName(path)}
      </bdi>
    );
  }
  return (
    <a
      className={styles.path}
      href={shareUrl(hash)}
      target="_blank"
      rel="noopener noreferrer"
      title={displayName(path)}
    >
      <bdi>{displayName(path)}</bdi>
    </a>
  );
}

function Expiry({ share }: { share: Share }) {
  const { t } = useTranslation('shares');
  const end = describeExpiry(share);
  return (
    <span className={styles.end}>
      {end === null ? (
        t('permanent')
      ) : (
        <time
          dateTime={new Date(share.expire * 1000).toISOString()}
          title={formatDateExact(share.expire * 1000)}
        >
          {isExpired(share) ? t('shared.expiredOn', { when: formatEnd(share.expire * 1000) }) : end}
        </time>
      )}
      {share.hasPassword && (
        <span className={styles.lock}>
          <Lock />
          <span className="visually-hidden">{t('protected')}</span>
        </span>
      )}
    </span>
  );
}

function Actions({
  share,
  onReopen,
  onDelete,
}: { share: Share } & Pick<SharesTableProps, 'onReopen' | 'onDelete'>) {
  const { t } = useTranslation('shares');
  return (
    <span className={styles.actions}>
      {isExpired(share) ? (
        <Button
          size="small"
          variant="quiet"
          aria-label={t('shared.reopenNamed', { name: isolateBidi(share.path) })}
          onClick={() => onReopen(share)}
        >
          {t('shared.reopen')}
        </Button>
      ) : (
        <IconButton
          size="small"
          label={t('page.copy')}
          icon={<Copy />}
          onClick={() => void copyAddress(shareUrl(share.hash))}
        />
      )}
      <IconButton
        size="small"
        tone="danger"
        label={t('delete.action')}
        icon={<Trash2 />}
        onClick={() => onDelete(share)}
      />
    </span>
  );
}
