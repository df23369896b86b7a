import type { ReactNode } from 'react';
import styles from './storage.module.css';

/** A list of names with their values. */
export function PropertyList({ children }: { children: ReactNode }) {
  return <dl className={styles.properties}>{children}</dl>;
}

export interface PropertyProps {
  name: string;
  tone?: 'warning' | undefined;
  children: ReactNode;
}

/** A name with its value. */
export function Property({ name, tone, children }: PropertyProps) {
  return (
    <div className={styles.property} data-tone={tone}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
