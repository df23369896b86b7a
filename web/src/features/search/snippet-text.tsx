import type { Snippet } from '@filestead/contract/endpoints/contents';
import { Fragment } from 'react';
import styles from './marked-name.module.css';

/** A part of a document in which the matches of a search are marked. */
export function SnippetText({
  snippet: { text, marks },
  className,
}: {
  snippet: Snippet;
  className?: string | undefined;
}) {
  const parts = marks.map(([from, to], index) => (
    <Fragment key={from}>
      {text.slice(marks[index - 1]?.[1] ?? 0, from)}
      <mark className={styles.mark}>{text.slice(from, to)}</mark>
    </Fragment>
  ));
  return (
    <bdi className={className}>
      {parts}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </bdi>
  );
}
