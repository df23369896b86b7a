import type { Snippet } from '@filestead/contract/endpoints/contents';
import { Fragment } from 'react';
import styles from './highlighted-name.module.css';

/** A part of a document in which the matches of a search are highlighted. */
export function SnippetText({
  snippet: { text, matches },
  className,
}: {
  snippet: Snippet;
  className?: string | undefined;
}) {
  const parts = matches.map(([from, to], index) => (
    <Fragment key={from}>
      {text.slice(matches[index - 1]?.[1] ?? 0, from)}
      <mark className={styles.match}>{text.slice(from, to)}</mark>
    </Fragment>
  ));
  return (
    <span className={className}>
      <bdi>
        {parts}
        {text.slice(matches.at(-1)?.[1] ?? 0)}
      </bdi>
    </span>
  );
}
