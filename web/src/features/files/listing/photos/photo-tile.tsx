import { memo } from 'react';
import { formatClock } from '../../../../i18n/format.ts';
import parts from '../../../../ui/selection/row-parts.module.css';
import { EntryLink, EntryName } from '../rows/entry-name.tsx';
import { EntryPicture } from '../rows/entry-picture.tsx';
import { type EntryRowProps, useEntryRow } from '../rows/entry-row.ts';
import entryStyles from '../entry.module.css';
import styles from './photos.module.css';

export interface PhotoTileProps extends EntryRowProps {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Whether the frame has the proportions of the picture. */
  readonly isExact: boolean;
  /** The duration of a video, or null. */
  readonly seconds: number | null;
  readonly onSize: (id: number, width: number, height: number) => void;
}

/** A photo, video or other file in a justified row. */
export const PhotoTile = memo(function PhotoTile(props: PhotoTileProps) {
  const { id, widthPx, heightPx, seconds, onSize } = props;
  const { item, pending, attributes } = useEntryRow(props);
  const isVideo = item.type === 'video';
  return (
    <div
      {...attributes}
      role="option"
      aria-selected={attributes['aria-selected']}
      aria-posinset={props.position + 1}
      aria-setsize={props.total}
      className={`${entryStyles.tile} ${styles.photo}`}
      style={{ ...attributes.style, inlineSize: `${widthPx}px`, blockSize: `${heightPx}px` }}
    >
      <EntryPicture
        item={item}
        size={props.isPhone ? 32 : 48}
        thumbnailUrl={props.thumbnailUrl}
        pace={props.pace}
        isUncropped={!props.isExact}
        pending={pending}
        onSize={(width, height) => onSize(id, width, height)}
      />
      <span className={styles.name}>
        {props.scattered ? (
          <EntryLink>{props.scattered.name(item)}</EntryLink>
        ) : (
          <EntryName name={item.name} />
        )}
      </span>
      {isVideo && (
        <span className={styles.duration}>
          <span className={styles.play} aria-hidden="true" />
          {seconds !== null && <span dir="ltr">{formatClock(seconds)}</span>}
        </span>
      )}
      <span className={`${parts.checkbox} ${entryStyles.check}`} data-part="check" aria-hidden="true" />
    </div>
  );
});
