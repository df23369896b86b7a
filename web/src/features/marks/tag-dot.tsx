import { tagColor } from './tag-color.ts';
import styles from './tag-dot.module.css';

/** The dot of a tag, whose color depends on the word. Decorative: the word is beside it. */
export const TagDot = ({ tag }: { tag: string }) => (
  <span className={styles.dot} style={{ background: tagColor(tag) }} aria-hidden="true" />
);
