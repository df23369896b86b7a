import { nameOf, parentOf, parsePath } from '@filestead/contract/paths/virtual-path';
import { listShares, type Share } from '@filestead/contract/shares';
import { expiredShareDays } from '@filestead/contract/values/limits';
import { useCallback, useDeferredValue, useMemo, useState, type ReactNode } from 'react';
import { Link } from '../../../ui/navigation/router.tsx';
import { call } from '../../../api/call.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { formatDate, formatDateExact, formatNumber, pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { useDelayedFlag } from '../../../ui/hooks/use-delayed-flag.ts';
import { useIsPhone } from '../../../ui/hooks/use-media-query.ts';
import {
  Copy,
  Ellipsis,
  ExternalLink,
  FolderOpen,
  Link2,
  Lock,
  PencilLine,
  Trash2,
} from '../../../ui/icons.ts';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import { fileKind } from '../../../ui/names/file-kind.ts';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '../../../ui/overlays/menu.tsx';
import { copyShareUrl } from '../copy-share-url.ts';
import { ShareDialog } from '../dialog/share-dialog.tsx';
import { directDownloadUrl, shareUrl } from '../share-address.ts';
import type { ShareHost } from '../share-host.ts';
import { describeExpiry, isExpired } from '../share-duration.ts';
import type { ShareTarget } from '../share-target.ts';
import { RetryMessage } from '../retry-message.tsx';
import { nameOfEntry, shareFailureText } from '../share-texts.ts';
import { useShares } from '../use-shares.ts';
import styles from './own-shares-page.module.css';

/** The number of rows rendered at first, and added with each step. */
const pageSize = 100;
/** A link that expires within this time is marked, in seconds. */
const soonSeconds = 3 * 24 * 60 * 60;
/** Within this time the expiry is shown as "in 5 days", in seconds. */
const relativeSeconds = 14 * 24 * 60 * 60;

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

/** The list of the user's own links with visits, expiry and password, and the dialog that edits them. */
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
    // Its options, visits, and further links may have changed.
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
          <SharesList
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
        <p className={styles.foot} role="status">
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

/** Whether a link expires within `seconds`. */
const isWithin = (seconds: number, { expire }: Share, nowMs = Date.now()): boolean =>
  expire !== 0 && expire - nowMs / 1000 < seconds;

const isSoon = (share: Share): boolean => isWithin(soonSeconds, share) && !isExpired(share);

const passes = (share: Share, filter: Filter): boolean =>
  filter === 'soon' ? isSoon(share) : share.hasPassword;

function visitsOf(shares: readonly Share[]): { count: number; number: string } {
  const count = shares.reduce((sum, { visits }) => sum + visits, 0);
  return { count, number: formatNumber(count) };
}

function targetOf({ path }: Share): ShareTarget {
  const { path: canonical, isFolderPath } = parsePath(path);
  return { name: nameOf(canonical), path: canonical, isFolder: isFolderPath || canonical === '/' };
}

function Chip({ isOn, onToggle, children }: { isOn: boolean; onToggle: () => void; children: string }) {
  return (
    <button type="button" className={styles.chip} aria-pressed={isOn} onClick={onToggle}>
      {children}
    </button>
  );
}

interface SharesListProps extends Pick<OwnSharesPageProps, 'addressOf' | 'onReveal'> {
  active: readonly Share[];
  expired: readonly Share[];
  onEdit: (share: Share) => void;
  onReopen: (share: Share) => void;
  onDelete: (share: Share) => void;
}

type RowProps = Omit<SharesListProps, 'active' | 'expired'>;

function SharesList({ active, expired, ...row }: SharesListProps) {
  const { t } = useTranslation('shares');
  const isPhone = useIsPhone();
  const [limit, setLimit] = useState(pageSize);
  const count = active.length + expired.length;
  const sections = [
    { id: 'active', count: active.length, shares: active.slice(0, limit) },
    { id: 'expired', count: expired.length, shares: expired.slice(0, Math.max(0, limit - active.length)) },
  ] as const;
  const shown = sections.filter(({ shares }) => shares.length > 0);
  const heading = (id: 'active' | 'expired', size: number) =>
    expired.length > 0 && (
      <>
        {t(`shared.${id}`)}{' '}
        <span className={styles.sectionNote}>
          {formatNumber(size)}
          {id === 'expired' && `, ${t('shared.keptFor', pluralValues(expiredShareDays))}`}
        </span>
      </>
    );
  return (
    <>
      {isPhone ? (
        shown.map(({ id, count: size, shares }) => (
          <section key={id}>
            {expired.length > 0 && <h2 className={styles.section}>{heading(id, size)}</h2>}
            <ul className={styles.cards} aria-label={t('shared.title')}>
              {shares.map((share) => (
                <li key={share.hash} className={styles.card} data-expired={id === 'expired' || undefined}>
                  <Name share={share} {...row} />
                  <span className={styles.metadata}>
                    <Expiry share={share} />
                    <span>{t('shared.visits', visitsOf([share]))}</span>
                  </span>
                  <Actions share={share} {...row} />
                </li>
              ))}
            </ul>
          </section>
        ))
      ) : (
        <table className={styles.table} aria-label={t('shared.title')}>
          <thead>
            <tr>
              <th scope="col">{t('shared.name')}</th>
              <th scope="col">{t('shared.link')}</th>
              <th scope="col" className={styles.number}>
                {t('shared.visitsHeader')}
              </th>
              <th scope="col">{t('shared.expires')}</th>
              <th scope="col" className={styles.created}>
                {t('shared.created')}
              </th>
              <th scope="col">
                <span className="visually-hidden">{t('page.actions')}</span>
              </th>
            </tr>
          </thead>
          {shown.map(({ id, count: size, shares }) => (
            <tbody key={id} data-expired={id === 'expired' || undefined}>
              {expired.length > 0 && (
                <tr className={styles.sectionRow}>
                  <th colSpan={6} scope="rowgroup" className={styles.section}>
                    {heading(id, size)}
                  </th>
                </tr>
              )}
              {shares.map((share) => (
                <ShareRow key={share.hash} share={share} {...row} />
              ))}
            </tbody>
          ))}
        </table>
      )}
      {count > limit && (
        <div className={styles.more}>
          <Button onClick={() => setLimit(limit + pageSize)}>
            {t('page.showMore', pluralValues(count - limit))}
          </Button>
        </div>
      )}
    </>
  );
}

function ShareRow({ share, ...row }: { share: Share } & RowProps) {
  return (
    <tr>
      <th scope="row">
        <Name share={share} {...row} />
      </th>
      <td>
        <Address share={share} />
      </td>
      <td className={styles.number}>{formatNumber(share.visits)}</td>
      <td>
        <Expiry share={share} />
      </td>
      <td className={styles.created}>
        <time
          dateTime={new Date(share.created * 1000).toISOString()}
          title={formatDateExact(share.created * 1000)}
        >
          {formatDate(share.created * 1000)}
        </time>
      </td>
      <td>
        <Actions share={share} {...row} />
      </td>
    </tr>
  );
}

/** The name and folder of the shared entry, as a link to it in the user's files. */
function Name({ share, addressOf }: { share: Share } & Pick<SharesListProps, 'addressOf'>) {
  const { t } = useTranslation('shares');
  const target = targetOf(share);
  const parent = parentOf(target.path);
  const folder =
    target.path === '/'
      ? ''
      : [t('everything'), ...parent.split('/').filter((segment) => segment !== '')]
          .map((segment) => displayName(segment))
          .join(' / ');
  return (
    <span className={styles.name}>
      <FileIcon kind={fileKind({ ...target, type: 'blob' })} size={24} />
      <span className={styles.nameTexts}>
        <Link to={addressOf(target)} className={styles.nameLink}>
          <bdi>{displayName(nameOfEntry(target))}</bdi>
        </Link>
        <bdi className={styles.folder}>{folder}</bdi>
      </span>
    </span>
  );
}

function Address({ share }: { share: Share }) {
  const { t } = useTranslation('shares');
  const { hash } = share;
  return (
    <span className={styles.address}>
      <bdi dir="ltr" className={styles.addressText} title={shareUrl(hash)}>
        {`…/share/${hash}`}
      </bdi>
      {!isExpired(share) && (
        <IconButton
          size="small"
          label={t('shared.copy')}
          icon={<Copy />}
          onClick={() => void copyShareUrl(shareUrl(hash))}
        />
      )}
    </span>
  );
}

function Expiry({ share }: { share: Share }) {
  const { t } = useTranslation('shares');
  const { expire, hasPassword } = share;
  return (
    <span className={styles.expiry} data-soon={isSoon(share) || undefined}>
      {hasPassword && (
        <span className={styles.lock}>
          <Lock />
          <span className="visually-hidden">{t('protected')}</span>
        </span>
      )}
      {expire === 0 ? (
        t('shared.never')
      ) : (
        <time dateTime={new Date(expire * 1000).toISOString()} title={formatDateExact(expire * 1000)}>
          {isExpired(share)
            ? t('shared.expiredOn', { when: formatDate(expire * 1000) })
            : isWithin(relativeSeconds, share)
              ? describeExpiry(share)
              : formatDate(expire * 1000)}
        </time>
      )}
    </span>
  );
}

function Actions({ share, onEdit, onReopen, onDelete, onReveal }: { share: Share } & RowProps) {
  const { t } = useTranslation('shares');
  const target = targetOf(share);
  const name = isolateBidi(nameOfEntry(target));
  const isOver = isExpired(share);
  return (
    <span className={styles.actions}>
      <Button
        size="small"
        variant="quiet"
        aria-label={t(isOver ? 'shared.reopenNamed' : 'shared.editNamed', { name })}
        onClick={() => (isOver ? onReopen(share) : onEdit(share))}
      >
        {t(isOver ? 'shared.reopen' : 'prompt.edit')}
      </Button>
      <MenuTrigger>
        <IconButton size="small" label={t('shared.more', { name })} icon={<Ellipsis />} hasTooltip={false} />
        <Menu placement="bottom end">
          {!isOver && (
            <MenuItem icon={<Copy />} onAction={() => void copyShareUrl(shareUrl(share.hash))}>
              {t('shared.copy')}
            </MenuItem>
          )}
          {!isOver && !share.hasPassword && (
            <MenuItem icon={<Link2 />} onAction={() => void copyShareUrl(directDownloadUrl(share))}>
              {t('copyDirect')}
            </MenuItem>
          )}
          {!isOver && (
            <MenuItem
              icon={<ExternalLink />}
              onAction={() => window.open(shareUrl(share.hash), '_blank', 'noopener')}
            >
              {t('shared.open')}
            </MenuItem>
          )}
          <MenuItem icon={<FolderOpen />} onAction={() => onReveal(target)}>
            {t('shared.reveal')}
          </MenuItem>
          {!isOver && (
            <MenuItem icon={<PencilLine />} onAction={() => onEdit(share)}>
              {t('shared.edit')}
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem icon={<Trash2 />} tone="danger" onAction={() => onDelete(share)}>
            {t('delete.action')}
          </MenuItem>
        </Menu>
      </MenuTrigger>
    </span>
  );
}
