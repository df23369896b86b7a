import type { ReactNode } from 'react';
import styles from './storage.module.css';

/** A list of names with their values. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

export interface FactProps {
  name: string;
  tone?: 'warning' | undefined;
  children: ReactNode;
}

/** A name with its value. */
export function Fact({ name, tone, children }: FactProps) {
  return (
    <div className={styles.fact} data-tone={tone}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
