import type { RecentRow } from '@filestead/contract/endpoints/marks';
import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useId, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { EntryMenu } from '../../features/files/actions/entry-menu.tsx';
import { pictureAddress } from '../../features/files/entries/picture-address.ts';
import type { FolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import { EntryMarks } from '../../features/marks/entry-marks.tsx';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { displayName } from '../../i18n/display-name.ts';
import { formatDate } from '../../i18n/format.ts';
import { locationText } from '../../i18n/path-text.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { Ellipsis } from '../../ui/icons.ts';
import { isMenuKey } from '../../ui/keyboard/keystroke.ts';
import { IconPicture } from '../../ui/names/icon-picture.tsx';
import { Link } from '../../ui/navigation/router.tsx';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import styles from './home-page.module.css';
import { rowAttribute } from './use-home-keys.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns the corner below an element at which lines begin. */
function cornerBelow(element: Element): Point {
  const { left, right, bottom } = element.getBoundingClientRect();
  return { x: getComputedStyle(element).direction === 'rtl' ? right : left, y: bottom };
}

/** The recent entries, each with the menu that entries have everywhere. */
export function RecentList({ rows, screen }: { rows: readonly RecentRow[]; screen: FolderScreen }) {
  const { session, context, commands } = screen;
  const { t } = useTranslation('files');
  const [menu, setMenu] = useState<{ at: Point | null; isByKey: boolean }>({ at: null, isByKey: false });
  const isShown = menu.at !== null || context.areDetailsOpen;
  const select = ({ path }: RecentRow): boolean => {
    const id = session.idOf(path as VirtualPath);
    if (id !== null && !session.model.isSelected(id)) session.model.selectOnly(id);
    return id !== null;
  };
  return (
    <>
      <ul>
        {rows.map((row) => (
          <Row
            key={row.path}
            row={row}
            isSelected={isShown && context.sample[0]?.path === row.path}
            menuLabel={t('moreActions')}
            onFocus={() => select(row)}
            onMenu={(at, isByKey) => {
              if (select(row)) setMenu({ at, isByKey });
            }}
          />
        ))}
      </ul>
      <EntryMenu
        {...menu}
        place="entryMenu"
        context={context}
        commands={commands}
        onClose={() => setMenu((shown) => ({ ...shown, at: null }))}
      />
    </>
  );
}

interface RowProps {
  row: RecentRow;
  /** Whether its menu or its details are shown. */
  isSelected: boolean;
  menuLabel: string;
  onFocus: () => void;
  onMenu: (at: Point, isByKey: boolean) => void;
}

function Row({ row, isSelected, menuLabel, onFocus, onMenu }: RowProps) {
  const { t } = useTranslation(['home', 'app']);
  const nameId = useId();
  const path = row.path as VirtualPath;
  /** For the link and for the button, to which the focus returns. */
  const opening = {
    onFocus,
    onContextMenu: (event: MouseEvent<HTMLElement>): void => {
      event.preventDefault();
      event.currentTarget.focus({ preventScroll: true });
      onMenu({ x: event.clientX, y: event.clientY }, false);
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>): void => {
      if (!isMenuKey(event)) return;
      event.preventDefault();
      onMenu(cornerBelow(event.currentTarget), true);
    },
  };
  return (
    <li className={styles.recent} {...{ [rowAttribute]: '' }} data-selected={isSelected || undefined}>
      <Link
        to={fileAddress(path, row.dir)}
        state={row.dir ? null : { isFromFolder: true }}
        className={styles.row}
        aria-keyshortcuts="Shift+F10"
        {...opening}
      >
        <RecentIcon row={row} />
        <span className={styles.rowName}>
          <bdi id={nameId} className={styles.name}>
            {displayName(nameOf(path))}
          </bdi>
          {row.favorite && <EntryMarks favorite tags={[]} />}
        </span>
        <span className={styles.where} data-own-text="">
          {locationText(path, t('app:frame.myFiles'))}
        </span>
        <span className={styles.when}>
          {t(`acts.${row.act}`, { when: formatDate(Date.parse(row.at), { exact: false }) })}
        </span>
      </Link>
      <IconButton
        label={menuLabel}
        icon={<Ellipsis />}
        hasTooltip={false}
        aria-describedby={nameId}
        aria-haspopup="menu"
        {...opening}
        onClick={(event) => {
          // Safari does not focus a pressed button, but the focus has to return to it.
          event.currentTarget.focus();
          // A press by keyboard has a click count of 0.
          onMenu(cornerBelow(event.currentTarget), event.detail === 0);
        }}
      />
    </li>
  );
}

/** The icon of a recent entry, or the thumbnail of a picture or video. */
function RecentIcon({ row }: { row: RecentRow }) {
  const isPhone = useIsPhone();
  const { perm } = useCurrentUser();
  const { type, size, modified, dir } = row;
  const path = row.path as VirtualPath;
  const name = nameOf(path);
  const url =
    dir || size === null || modified === null || !perm.download
      ? null
      : pictureAddress({ path, name, type, size, modifiedMs: Date.parse(modified) }, 'list', isPhone);
  return (
    <IconPicture
      className={styles.icon}
      entry={{ name, type, isFolder: dir }}
      iconSize={isPhone ? 32 : 24}
      url={url}
    />
  );
}
