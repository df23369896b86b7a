import styles from './pocket.module.css';

/** Hides a picture that cannot be shown. */
export const hideImage = ({ currentTarget }: { currentTarget: HTMLImageElement }): void => {
  currentTarget.hidden = true;
};

/** A folder as a pocket, out of which up to three of its pictures look. Its name is beside it. */
export function Pocket({ pictures }: { pictures: readonly string[] }) {
  return (
    <span className={styles.pocket} aria-hidden="true">
      <svg className={styles.back} viewBox="0 0 180 116" preserveAspectRatio="none">
        <path d="M0 14C0 8 4 4 10 4h46c4 0 7 1 10 4l6 6c3 3 5 4 9 4h89c6 0 10 4 10 10v60H0Z" />
      </svg>
      <span className={styles.pictures}>
        {pictures.slice(0, 3).map((url) => (
          <img key={url} src={url} alt="" draggable={false} onError={hideImage} />
        ))}
      </span>
      <span className={styles.front} />
    </span>
  );
}
