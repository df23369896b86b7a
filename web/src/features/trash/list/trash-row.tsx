import { getTrashPreview, type TrashItem } from '@filestead/contract/endpoints/trash';
import { memo, useSyncExternalStore, type CSSProperties } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { urlOf } from '../../../api/call.ts';
import { pageConfig } from '../../../api/page-config.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { formatDateExact, formatSize } from '../../../i18n/format.ts';
import { placeText } from '../../../i18n/path-text.ts';
import { IconPicture } from '../../../ui/names/icon-picture.tsx';
import { LongName } from '../../../ui/names/long-name.tsx';
import parts from '../../../ui/selection/row-parts.module.css';
import type { TrashUser } from '../trash-host.ts';
import { trashRowBits, type TrashModel } from '../trash-model.ts';
import { deletedText, deleterText, folderOf, timeLeft } from '../trash-texts.ts';
import styles from './trash-list.module.css';

interface TrashRowProps {
  model: TrashModel;
  item: TrashItem;
  position: number;
  topPx: number;
  user: TrashUser;
  isPhone: boolean;
  /** The time for which the remaining time is shown, in Unix ms. */
  nowMs: number;
  /** The BCP 47 tag of the language, so that rows are rendered again in another one. */
  languageTag: string;
}

/** One deleted item. */
export const TrashRow = memo(function TrashRow(props: TrashRowProps) {
  const { model, item, position, topPx, user, isPhone, nowMs } = props;
  const { t } = useTranslation('trash');
  const state = useSyncExternalStore(model.subscribe, () => model.rowState(item.id));
  const folder = folderOf(item);
  const left = timeLeft(item, nowMs);
  const deletedMs = Date.parse(item.deletedAt);
  return (
    <div
      role="row"
      aria-rowindex={position + 2}
      aria-selected={(state & trashRowBits.selected) !== 0}
      tabIndex={(state & trashRowBits.tabStop) === 0 ? -1 : 0}
      data-item={item.id}
      className={`${parts.row} ${styles.row}`}
      style={{ transform: `translateY(${topPx}px)` } satisfies CSSProperties}
    >
      <div role="gridcell" className={styles.nameCell} data-column="name">
        <span className={`${parts.checkbox} ${styles.check}`} data-part="check" aria-hidden="true" />
        <IconPicture
          className={styles.picture}
          data-part="icon"
          entry={{ name: item.name, type: item.type, isFolder: item.isDir }}
          iconSize={isPhone ? 36 : 22}
          url={pictureUrl(item, user)}
        />
        <LongName className={styles.name} data-part="name" name={displayName(item.name)} />
      </div>
      <div role="gridcell" className={styles.cell} data-column="location" title={folder}>
        <span data-own-text="">{placeText(folder)}</span>
        {item.parentInTrash !== null && <span className={styles.note}> · {t('folderInTrash')}</span>}
      </div>
      <div role="gridcell" className={styles.cell} data-column="deletedBy">
        <bdi>{deleterText(item, user.username)}</bdi>
      </div>
      <div role="gridcell" className={styles.cell} data-column="deleted">
        <time dateTime={item.deletedAt} title={formatDateExact(deletedMs)} dir="auto">
          {deletedText(item, nowMs, user.dateFormat)}
        </time>
      </div>
      <div role="gridcell" className={styles.cell} data-column="size">
        {item.size !== null && <bdi>{formatSize(item.size)}</bdi>}
      </div>
      <div
        role="gridcell"
        className={styles.cell}
        data-column="timeLeft"
        data-short={left.isShort || undefined}
      >
        <bdi>{left.text}</bdi>
      </div>
      <span className={`${parts.menuDots} ${styles.menu}`} data-part="menu" aria-hidden="true" />
    </div>
  );
});

/** Returns the address of the thumbnail of an item; null if it has none. */
function pictureUrl({ id, type, size }: TrashItem, { perm }: TrashUser): string | null {
  const hasPicture =
    perm.download && pageConfig.EnableThumbs && size !== 0 && (type === 'image' || type === 'video');
  if (!hasPicture) return null;
  return urlOf(getTrashPreview, { params: { id, size: 'thumb' }, query: { inline: 'true' } });
}
