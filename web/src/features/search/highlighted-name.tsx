import { Fragment } from 'react';
import { displayName } from '../../i18n/display-name.ts';
import styles from './highlighted-name.module.css';
import { highlightTerms } from './search-query.ts';

interface HighlightedNameProps {
  name: string;
  terms: readonly string[];
  className?: string | undefined;
}

/** A name in which the matches of a search are highlighted. */
export function HighlightedName({ name, terms, className = '' }: HighlightedNameProps) {
  return (
    <bdi className={`${styles.name} ${className}`} title={displayName(name)}>
      <HighlightedText text={name} terms={terms} />
    </bdi>
  );
}

/** A text in which the matches of a search are highlighted. */
export function HighlightedText({ text: whole, terms }: { text: string; terms: readonly string[] }) {
  return highlightTerms(whole, terms).map(({ at, text, isHit }) =>
    isHit ? (
      <mark key={at} className={styles.match}>
        {displayName(text)}
      </mark>
    ) : (
      <span key={at}>{displayName(text)}</span>
    ),
  );
}

/** The names of a path with the parts that match search terms marked; each is isolated from the direction of the others. */
export function HighlightedPath({ names, terms }: { names: readonly string[]; terms: readonly string[] }) {
  return names.map((name, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- A path with other names is rendered anew.
    <Fragment key={index}>
      {index > 0 && ' / '}
      <bdi>
        <HighlightedText text={name} terms={terms} />
      </bdi>
    </Fragment>
  ));
}
