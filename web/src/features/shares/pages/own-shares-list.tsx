import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Share } from '@filestead/contract/shares';
import { expiredShareDays } from '@filestead/contract/values/limits';
import { useRef, useState, type ReactNode } from 'react';
import { isExpired, shareUrl } from '../../../ui/public-share.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { describeExpiry } from '../../../i18n/expiry.ts';
import { formatDate, formatDateExact, formatNumber, formatSize, pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { locationText } from '../../../i18n/path-text.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { classes } from '../../../ui/classes.ts';
import { copyAddress } from '../../../ui/copy-address.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { useIsPhone } from '../../../ui/hooks/use-media-query.ts';
import {
  ArrowDown,
  ArrowUp,
  Copy,
  Ellipsis,
  ExternalLink,
  FolderOpen,
  Link2,
  Lock,
  PencilLine,
  SquareCheck,
  Trash2,
} from '../../../ui/icons.ts';
import { LongName } from '../../../ui/names/long-name.tsx';
import { Link } from '../../../ui/navigation/router.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '../../../ui/overlays/menu.tsx';
import { directDownloadUrl } from '../share-address.ts';
import { targetOf, type ShareTarget } from '../share-target.ts';
import { nameOfEntry } from '../share-texts.ts';
import styles from './own-shares-page.module.css';
import { useCardPress } from './use-card-press.ts';
import { isSoon, isWithin } from './share-expiry.ts';
import { chooseShareOrder, orderAfterPress, useShareOrder, type ShareSortKey } from './share-order.ts';
import { SharePicture } from './share-picture.tsx';
import type { OwnSharesState } from './use-own-shares-page.ts';

/** The number of rows rendered at first, and added with each step. */
const pageSize = 100;
/** Within this time the expiry is shown as "in 5 days", in seconds. */
const relativeSeconds = 14 * 24 * 60 * 60;

/** The state and the commands that the list shows. */
type ListState = Pick<
  OwnSharesState,
  'active' | 'expired' | 'selected' | 'isSelected' | 'toggle' | 'selectAll' | 'clear'
>;

export interface OwnSharesListProps {
  state: ListState;
  /** Returns the address of an entry, or of the folder that contains it. */
  addressOf: (target: ShareTarget) => string;
  /** Whether the user may download, and so see thumbnails. */
  canDownload: boolean;
  /** Returns the number of entries in a folder and its size; null while they are unknown. */
  totalOf: (path: VirtualPath) => SharedTotal | null;
  /** Called when a share gets the focus. */
  onFocus: (share: Share) => void;
  /** Opens the folder of an entry. */
  onReveal: (target: ShareTarget) => void;
  onEdit: (share: Share) => void;
  onReopen: (share: Share) => void;
  onDelete: (share: Share) => void;
}

/** The content of a shared folder. */
export interface SharedTotal {
  readonly entries: number | null;
  readonly bytes: number;
}

type RowProps = OwnSharesListProps & { share: Share };

/** The active shares, then the expired ones: a table, on phones cards. */
export function OwnSharesList(row: OwnSharesListProps) {
  const { t } = useTranslation('shares');
  const { active, expired, selected, selectAll, clear } = row.state;
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
        <Cards state={row.state}>
          {shown.map(({ id, count: size, shares }) => (
            <section key={id}>
              {expired.length > 0 && <h2 className={styles.section}>{heading(id, size)}</h2>}
              <ul className={styles.cards} aria-label={t('shared.title')}>
                {shares.map((share) => (
                  <ShareCard key={share.hash} share={share} {...row} />
                ))}
              </ul>
            </section>
          ))}
        </Cards>
      ) : (
        <table
          className={styles.table}
          aria-label={t('shared.title')}
          data-selecting={selected.length > 0 || undefined}
        >
          <thead>
            <tr>
              <td className={styles.choice}>
                <Checkbox
                  aria-label={t('shared.selectAll')}
                  isSelected={selected.length === count}
                  isIndeterminate={selected.length > 0 && selected.length < count}
                  onChange={(isSelected) => (isSelected ? selectAll() : clear())}
                />
              </td>
              <SortHeader by="name" label={t('shared.name')} />
              <th scope="col">{t('shared.link')}</th>
              <SortHeader by="visits" label={t('shared.visitsHeader')} className={styles.number} />
              <SortHeader by="expires" label={t('shared.expires')} />
              <SortHeader by="created" label={t('shared.created')} className={styles.created} />
              <th scope="col">
                <span className="visually-hidden">{t('page.actions')}</span>
              </th>
            </tr>
          </thead>
          {shown.map(({ id, count: size, shares }) => (
            <tbody key={id} data-expired={id === 'expired' || undefined}>
              {expired.length > 0 && (
                <tr className={styles.sectionRow}>
                  <th colSpan={7} scope="rowgroup" className={styles.section}>
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

/** The header of a column that sorts the list. */
function SortHeader({
  by,
  label,
  className,
}: {
  by: ShareSortKey;
  label: string;
  className?: string | undefined;
}) {
  const order = useShareOrder();
  const isSorted = order.by === by;
  const Arrow = order.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      className={className}
      aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        className={styles.sort}
        onClick={() => chooseShareOrder(orderAfterPress(order, by))}
      >
        {label}
        {isSorted && <Arrow aria-hidden="true" />}
      </button>
    </th>
  );
}

function ShareRow({ share, ...row }: RowProps) {
  return (
    <tr
      data-share={share.hash}
      data-selected={row.state.isSelected(share) || undefined}
      onFocus={() => row.onFocus(share)}
    >
      <td className={styles.choice}>
        <Choice share={share} {...row} />
      </td>
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

/** The cards of the phone: a long press selects a share, and while some are selected a tap selects another one. */
function Cards({ state, children }: { state: ListState; children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  const { active, expired, selected, isSelected, toggle } = state;
  const shareOf = (hash: string) => [...active, ...expired].find((share) => share.hash === hash);
  useCardPress(root, {
    isSelecting: selected.length > 0,
    onHold: (hash) => {
      const share = shareOf(hash);
      if (share) toggle(share, true);
    },
    onTap: (hash) => {
      const share = shareOf(hash);
      if (share) toggle(share, !isSelected(share));
    },
  });
  return (
    <div ref={root} className={classes(selected.length > 0 && styles.selecting)}>
      {children}
    </div>
  );
}

/** A share on the phone. */
function ShareCard({ share, ...row }: RowProps) {
  const { t } = useTranslation('shares');
  const { selected, isSelected } = row.state;
  const isSelecting = selected.length > 0;
  return (
    <li
      className={styles.card}
      data-share={share.hash}
      data-expired={isExpired(share) || undefined}
      data-selected={isSelected(share) || undefined}
    >
      {isSelecting && <Choice share={share} {...row} />}
      <Name share={share} {...row} />
      <span className={styles.metadata}>
        <Expiry share={share} />
        <span>{t('shared.visits', visitsOf([share]))}</span>
      </span>
      {!isSelecting && <Actions share={share} {...row} />}
    </li>
  );
}

/** The checkbox of a share; with Shift it selects a range. */
function Choice({ share, state: { isSelected, toggle } }: RowProps) {
  const { t } = useTranslation('shares');
  const isRange = useRef(false);
  return (
    <span onClickCapture={(event) => (isRange.current = event.shiftKey)}>
      <Checkbox
        aria-label={t('public.select', { name: isolateBidi(nameOfEntry(targetOf(share))) })}
        isSelected={isSelected(share)}
        onChange={(isOn) => toggle(share, isOn, isRange.current)}
      />
    </span>
  );
}

/** The name of the shared entry, as a link to it in the user's files, with its folder and its size. */
function Name({
  share,
  addressOf,
  canDownload,
  totalOf,
}: Pick<RowProps, 'share' | 'addressOf' | 'canDownload' | 'totalOf'>) {
  const { t } = useTranslation(['shares', 'listing']);
  const target = targetOf(share);
  const isRoot = target.path === '/';
  const total = target.isFolder && share.gone !== true ? totalOf(target.path) : null;
  const notes = [
    ...(isRoot ? [] : [locationText(target.path, t('everything'))]),
    ...(share.gone === true ? [t('shared.gone')] : []),
    ...(share.size === undefined ? [] : [formatSize(share.size)]),
    ...(total === null || total.entries === null
      ? []
      : [t('listing:itemCount', pluralValues(total.entries))]),
    ...(total === null ? [] : [formatSize(total.bytes)]),
  ];
  const name = <LongName name={displayName(nameOfEntry(target))} />;
  return (
    <span className={styles.name} data-gone={share.gone}>
      <SharePicture share={share} target={target} canDownload={canDownload} />
      <span className={styles.nameTexts}>
        {share.gone === true ? (
          <span className={styles.nameLink}>{name}</span>
        ) : (
          <Link to={addressOf(target)} className={styles.nameLink}>
            {name}
          </Link>
        )}
        <span className={styles.folder}>{notes.join(' · ')}</span>
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

function Actions({ share, state, onEdit, onReopen, onDelete, onReveal }: RowProps) {
  const { t } = useTranslation('shares');
  const isPhone = useIsPhone();
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
          {isPhone && (
            <MenuItem icon={<SquareCheck />} onAction={() => state.toggle(share, true)}>
              {t('public.select', { name })}
            </MenuItem>
          )}
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

/** Returns the plural values of the visits of all `shares`. */
export function visitsOf(shares: readonly Share[]): { count: number; number: string } {
  const count = shares.reduce((sum, { visits }) => sum + visits, 0);
  return { count, number: formatNumber(count) };
}
