import type { ReactNode } from 'react';
import styles from './details-panel.module.css';

export interface MetadataItem {
  readonly label: string;
  readonly value: ReactNode;
  /** Whether the value is a path: always left to right, and wrapped anywhere. */
  readonly isPath?: boolean;
}

/** Shows labels with their values, one pair per line. */
export function MetadataList({ items }: { items: readonly MetadataItem[] }) {
  return (
    <dl className={styles.metadata}>
      {items.map(({ label, value, isPath }) => (
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
