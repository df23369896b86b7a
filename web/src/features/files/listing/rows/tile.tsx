import { memo } from 'react';
import parts from '../../../../ui/selection/row-parts.module.css';
import type { ListingItem } from '../model/listing-entries.ts';
import { EntryLink, EntryName } from './entry-name.tsx';
import { EntryPicture } from './entry-picture.tsx';
import { EntryDate, entryNote, itemCount } from './entry-texts.tsx';
import { type EntryRowProps, useEntryRow } from './entry-row.ts';
import styles from '../entry.module.css';

export interface TileProps extends EntryRowProps {
  /** Whether the tile is a folder with its icon beside its name. */
  readonly isSlim: boolean;
}

/** A tile. */
export const Tile = memo(function Tile({ isSlim, ...props }: TileProps) {
  const { item, pending, attributes } = useEntryRow(props);
  const note = entryNote(item, pending);
  const cover = isSlim || !item.isFolder ? undefined : props.folderCover?.(props.id);
  return (
    <div
      {...attributes}
      role="option"
      aria-selected={attributes['aria-selected']}
      aria-posinset={props.position + 1}
      aria-setsize={props.total}
      className={styles.tile}
      data-slim={isSlim || undefined}
      data-pocket={cover !== undefined || undefined}
    >
      {cover === undefined ? (
        <EntryPicture
          item={item}
          size={isSlim ? 24 : props.isPhone ? 48 : 64}
          thumbnailUrl={props.thumbnailUrl}
          pace={props.pace}
          isUncropped
          pending={pending}
        />
      ) : (
        <span className={styles.picture} data-part="icon" data-link={item.isSymlink || undefined}>
          {cover}
        </span>
      )}
      <span className={styles.caption}>
        {props.scattered ? (
          <EntryLink>{props.scattered.name(item)}</EntryLink>
        ) : (
          <EntryName name={item.name} />
        )}
        {props.model.decoration(item.path)}
        {isSlim || cover !== undefined ? (
          <FolderMeta item={item} note={note} />
        ) : (
          <span className={styles.meta}>
            {note !== '' && (
              <span className={styles.note}>
                <bdi>{note}</bdi>
              </span>
            )}
            {!Number.isNaN(item.modifiedMs) && (
              <EntryDate atMs={item.modifiedMs} isExact={props.isExactDate} />
            )}
          </span>
        )}
      </span>
      <span className={`${parts.checkbox} ${styles.check}`} data-part="check" aria-hidden="true" />
      <span className={`${parts.menuDots} ${styles.menu}`} data-part="menu" aria-hidden="true" />
    </div>
  );
});

/** The number of entries in a folder and their size, where they are known. */
function FolderMeta({ item, note }: { item: ListingItem; note: string }) {
  const count = itemCount(item);
  if (note === '') return null;
  return (
    <span className={styles.meta}>
      {count && (
        <span className={styles.note}>
          <bdi>{count}</bdi>
        </span>
      )}
      <bdi>{note}</bdi>
    </span>
  );
}
