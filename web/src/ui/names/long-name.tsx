import { splitName } from './split-name.ts';
import styles from './long-name.module.css';

interface LongNameProps {
  /** What is shown, with nothing in it that disguises letters. */
  name: string;
  className?: string | undefined;
  /** For those who look for it by its part of something larger. */
  'data-part'?: string;
}

/** A name on one line, no wider than its place: a long one is shortened in its middle and keeps its extension. */
export function LongName({ name, className = '', 'data-part': part }: LongNameProps) {
  const { start, end } = splitName(name);
  if (end === '') {
    return (
      <bdi className={`${styles.short} ${className}`} data-part={part}>
        {name}
      </bdi>
    );
  }
  return (
    <bdi className={`${styles.long} ${className}`} data-part={part} title={name}>
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
