import { displayName } from '../../i18n/display-name.ts';
import styles from './marked-name.module.css';
import { markTerms } from './search-query.ts';

interface MarkedNameProps {
  name: string;
  terms: readonly string[];
  className?: string | undefined;
}

/** A name in which the matches of a search are marked. */
export function MarkedName({ name, terms, className = '' }: MarkedNameProps) {
  return (
    <bdi className={`${styles.name} ${className}`} title={displayName(name)}>
      <MarkedText text={name} terms={terms} />
    </bdi>
  );
}

/** A text in which the matches of a search are marked. */
export function MarkedText({ text: whole, terms }: { text: string; terms: readonly string[] }) {
  return markTerms(whole, terms).map(({ at, text, isHit }) =>
    isHit ? (
      <mark key={at} className={styles.mark}>
        {displayName(text)}
      </mark>
    ) : (
      <span key={at}>{displayName(text)}</span>
    ),
  );
}
