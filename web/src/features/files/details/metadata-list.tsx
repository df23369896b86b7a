import type { ReactNode } from 'react';
import styles from './details-panel.module.css';

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
  /** Written from left to right whatever the language, and broken anywhere. */
  readonly isPath?: boolean;
}

/** Labels and values, one below the other. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, value, isPath }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd data-path={isPath || undefined} dir={isPath ? 'ltr' : undefined}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
