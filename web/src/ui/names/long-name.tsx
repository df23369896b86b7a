import { splitName } from './split-name.ts';
import styles from './long-name.module.css';

interface LongNameProps {
  /** The displayed name, without characters that disguise letters. */
  name: string;
  className?: string | undefined;
  /** A link without an address, which gets one later. Default: `bdi`. */
  as?: 'a' | undefined;
  /** A selector for parents that address this part. */
  'data-part'?: string;
}

/** A name on one line that fits its container: a long name is shortened in the middle and keeps its extension. */
export function LongName({ name, className = '', as, 'data-part': part }: LongNameProps) {
  const { start, end } = splitName(name);
  const Name = as ?? 'bdi';
  // A link is dragged as a part of its row, and its direction is that of its text.
  const link = as === 'a' ? ({ draggable: false, dir: 'auto' } as const) : {};
  if (end === '') {
    return (
      <Name className={`${styles.short} ${className}`} data-part={part} {...link}>
        {name}
      </Name>
    );
  }
  return (
    <Name className={`${styles.long} ${className}`} data-part={part} title={name} {...link}>
      {/* In one piece for assistive technology, which would read the two boxes with a gap. */}
      <span className="visually-hidden">{name}</span>
      <span className={styles.start} aria-hidden="true">
        {start}
      </span>
      <span className={styles.end} dir="auto" aria-hidden="true">
        {end}
      </span>
    </Name>
  );
}
