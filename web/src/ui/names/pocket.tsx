import type { FileIconKind } from './file-icon.tsx';
import styles from './pocket.module.css';

/** Hides a picture that cannot be shown. */
const hideImage = ({ currentTarget }: { currentTarget: HTMLImageElement }): void => {
  currentTarget.hidden = true;
};

interface PocketProps {
  /** The addresses of pictures in the folder. */
  pictures: readonly string[];
  /** The kinds of files in a folder without pictures: each is a slip of paper. */
  slips?: readonly FileIconKind[];
}

/** A folder drawn as a pocket, with up to three of its pictures or papers in it. Decorative: its name is beside it. */
export function Pocket({ pictures, slips }: PocketProps) {
  return (
    <span className={styles.pocket} aria-hidden="true">
      <svg className={styles.back} viewBox="0 0 180 116" preserveAspectRatio="none">
        <path d="M0 14C0 8 4 4 10 4h46c4 0 7 1 10 4l6 6c3 3 5 4 9 4h89c6 0 10 4 10 10v60H0Z" />
      </svg>
      <span className={styles.pictures}>
        {pictures.slice(0, 3).map((url) => (
          <img key={url} src={url} alt="" draggable={false} onError={hideImage} />
        ))}
        {pictures.length === 0 &&
          // oxlint-disable-next-line react/no-array-index-key -- Several files may be of one kind, and their order never changes.
          slips?.slice(0, 3).map((kind, index) => <i key={index} className={styles.slip} data-kind={kind} />)}
      </span>
      <span className={styles.front} />
    </span>
  );
}
