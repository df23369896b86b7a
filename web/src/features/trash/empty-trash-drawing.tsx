import styles from './empty-trash-drawing.module.css';

/** The drawing of the empty trash: a basket into which a leaf falls. */
export function EmptyTrashDrawing() {
  return (
    <svg className={styles.drawing} viewBox="0 0 200 140" fill="none" aria-hidden="true">
      <circle className={styles.ground} cx="100" cy="70" r="58" />
      <path d="M28 128h144" />
      <path d="m52 128-3-8M56 128l1-10M60 128l4-7M146 128l-3-7M150 128l2-9" />
      <path className={styles.basket} d="M72 78h56l-7 50H79Z" />
      <path d="M68 78h64M88 92l2 22M100 92v22M112 92l-2 22" />
      <path className={styles.leaf} d="M96 58c-2-14 8-24 26-24 0 17-9 27-26 24Z" />
      <path className={styles.stem} d="M92 66c6-10 12-17 20-23" />
    </svg>
  );
}
