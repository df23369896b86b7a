import styles from './avatar.module.css';

/**
 * Returns the first characters of the first and the last word, also for characters beyond the basic multilingual plane.
 */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._@-]+/u).filter((word) => word !== '');
  const first = words[0];
  const last = words.length > 1 ? words.at(-1) : undefined;
  return [first, last]
    .map((word) => (word === undefined ? '' : ([...word][0] ?? '')))
    .join('')
    .toLocaleUpperCase();
}

/** The initials of a user. The name itself must be beside it or in the label of its button. */
export function Avatar({ name, size = 32 }: { name: string; size?: 24 | 32 | 40 | 56 }) {
  return (
    <span className={styles.avatar} data-size={size} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
