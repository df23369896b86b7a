import styles from './long-name.module.css';
import { splitName } from './split-name.ts';

/**
 * A name on one line, as wide as its place lets it be: a long one is shortened in its middle and keeps its extension.
 * `name` is what is shown, with nothing in it that disguises letters.
 */
export function LongName({ name }: { name: string }) {
  const { start, end } = splitName(name);
  if (end === '') return <bdi className={styles.short}>{name}</bdi>;
  return (
    <bdi className={styles.long}>
      {/* In one piece for assistive technology: the two boxes would be read with a gap. */}
      <span className="visually-hidden">{name}</span>
      <span className={styles.start} aria-hidden="true">
        {start}
      </span>
      <span className={styles.end} dir="auto" aria-hidden="true">
        {end}
      </span>
    </bdi>
  );
}
