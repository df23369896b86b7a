import { nameOf, parentOf, parsePath } from '@filestead/contract/paths/virtual-path';
import type { Share } from '@filestead/contract/shares';
import { expiredShareDays } from '@filestead/contract/values/limits';
import { useState } from 'react';
import { isExpired, shareUrl } from '../../../ui/public-share.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { describeExpiry } from '../../../i18n/expiry.ts';
import { formatDate, formatDateExact, formatNumber, pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { copyAddress } from '../../../ui/copy-address.ts';
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
import { Link } from '../../../ui/navigation/router.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '../../../ui/overlays/menu.tsx';
import { directDownloadUrl } from '../share-address.ts';
import type { ShareTarget } from '../share-target.ts';
import { nameOfEntry } from '../share-texts.ts';
import styles from './own-shares-page.module.css';

/** The number of rows rendered at first, and added with each step. */
const pageSize = 100;
/** A share that expires within this time is marked, in seconds. */
const soonSeconds = 3 * 24 * 60 * 60;
/** Within this time the expiry is shown as "in 5 days", in seconds. */
const relativeSeconds = 14 * 24 * 60 * 60;

export interface OwnSharesListProps {
  active: readonly Share[];
  expired: readonly Share[];
  /** Returns the address of an entry, or of the folder that contains it. */
  addressOf: (target: ShareTarget) => string;
  /** Opens the folder of an entry. */
  onReveal: (target: ShareTarget) => void;
  onEdit: (share: Share) => void;
  onReopen: (share: Share) => void;
  onDelete: (share: Share) => void;
}

type RowProps = Omit<OwnSharesListProps, 'active' | 'expired'>;

/** The active shares, then the expired ones: a table, on phones cards. */
export function OwnSharesList({ active, expired, ...row }: OwnSharesListProps) {
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
function Name({ share, addressOf }: { share: Share } & Pick<OwnSharesListProps, 'addressOf'>) {
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
          onClick={() => void copyAddress(shareUrl(hash))}
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
            <MenuItem icon={<Copy />} onAction={() => void copyAddress(shareUrl(share.hash))}>
              {t('shared.copy')}
            </MenuItem>
          )}
          {!isOver && !share.hasPassword && (
            <MenuItem icon={<Link2 />} onAction={() => void copyAddress(directDownloadUrl(share))}>
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

/** Whether a share expires within `seconds`. */
const isWithin = (seconds: number, { expire }: Share, nowMs = Date.now()): boolean =>
  expire !== 0 && expire - nowMs / 1000 < seconds;

/** Whether an active share expires soon. */
export const isSoon = (share: Share): boolean => isWithin(soonSeconds, share) && !isExpired(share);

/** Returns the plural values of the visits of all `shares`. */
export function visitsOf(shares: readonly Share[]): { count: number; number: string } {
  const count = shares.reduce((sum, { visits }) => sum + visits, 0);
  return { count, number: formatNumber(count) };
}

/** Returns the shared entry. */
export function targetOf({ path }: Share): ShareTarget {
  const { path: canonical, isFolderPath } = parsePath(path);
  return { name: nameOf(canonical), path: canonical, isFolder: isFolderPath || canonical === '/' };
}
