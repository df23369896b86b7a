import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Share } from '@filestead/contract/shares';
import { useRef } from 'react';
import { isExpired, shareUrl } from '../../../api/public-share.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { describeExpiry, formatEnd } from '../../../i18n/expiry.ts';
import { formatDate, formatDateExact, formatNumber, formatSize, pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { locationText } from '../../../i18n/path-text.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { copyAddress } from '../../../ui/copy-address.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { useIsPhone } from '../../../ui/hooks/use-media-query.ts';
import {
  Copy,
  Ellipsis,
  ExternalLink,
  FolderOpen,
  Info,
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
import { isSoon, isWithin } from './share-expiry.ts';
import { SharePicture } from './share-picture.tsx';
import type { OwnSharesState } from './use-own-shares-page.ts';

/** Within this time the expiry is shown as "in 5 days", in seconds. */
const relativeSeconds = 14 * 24 * 60 * 60;

/** The state and the commands that the list shows. */
export type ListState = Pick<
  OwnSharesState,
  'active' | 'expired' | 'selected' | 'isSelected' | 'toggle' | 'selectAll' | 'clear'
>;

/** The content of the rows of the list, and the functions of their parts. */
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
  /** Shows the details of an entry. */
  onDetails: (share: Share) => void;
  onEdit: (share: Share) => void;
  onReopen: (share: Share) => void;
  onDelete: (share: Share) => void;
}

/** The content of a shared folder. */
export interface SharedTotal {
  /** Absent while it is unknown. */
  readonly entries?: number | undefined;
  readonly bytes: number;
}

export type RowProps = OwnSharesListProps & { share: Share };

/** The checkbox of a share; with Shift it selects a range. */
export function ShareChoice({ share, state: { isSelected, toggle } }: RowProps) {
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
export function ShareName({
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
    ...(share.gone === true ? [t('shared.gone')] : []),
    ...(share.size === undefined ? [] : [formatSize(share.size)]),
    ...(total?.entries === undefined ? [] : [t('listing:itemCount', pluralValues(total.entries))]),
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
        <span className={styles.folder}>
          {!isRoot && <span className={styles.location}>{locationText(target.path, t('everything'))}</span>}
          {[...(isRoot ? [] : ['']), ...notes].join(' · ')}
        </span>
      </span>
    </span>
  );
}

/** The address of a share, with a button that copies it until the share expires. */
export function ShareAddress({ share }: { share: Share }) {
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

/** When a share expires, and whether it has a password. */
export function ShareExpiry({ share }: { share: Share }) {
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
            ? t('shared.expiredOn', { when: formatEnd(expire * 1000) })
            : isWithin(relativeSeconds, share)
              ? describeExpiry(share)
              : formatDate(expire * 1000)}
        </time>
      )}
    </span>
  );
}

/** The button that edits or reopens a share, and the menu of its other actions. */
export function ShareActions({ share, state, onEdit, onReopen, onDelete, onReveal, onDetails }: RowProps) {
  const { t } = useTranslation(['shares', 'files']);
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
          {share.gone !== true && target.path !== '/' && (
            <MenuItem icon={<Info />} onAction={() => onDetails(share)}>
              {t('files:actions.toggleDetails')}
            </MenuItem>
          )}
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
