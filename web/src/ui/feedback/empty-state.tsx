import type { ReactNode } from 'react';
import styles from './empty-state.module.css';
import { Illustration, type IllustrationName } from './illustration.tsx';

export interface EmptyStateProps {
  /** One of our line drawings, or an icon if there is none for it. */
  illustration?: IllustrationName | undefined;
  icon?: ReactNode;
  title: string;
  /** One sentence. */
  children?: ReactNode;
  /** Buttons for the next steps. */
  actions?: ReactNode;
  /** Default: 2. Error screens that are a page of their own use 1. */
  headingLevel?: 1 | 2 | 3 | undefined;
}

/** A placeholder for an empty list or page. */
export function EmptyState({
  illustration,
  icon,
  title,
  children,
  actions,
  headingLevel = 2,
}: EmptyStateProps) {
  const Title = `h${headingLevel}` as const;
  return (
    <div className={styles.state}>
      {illustration ? <Illustration name={illustration} /> : <span className={styles.icon}>{icon}</span>}
      <Title className={styles.title}>{title}</Title>
      {children && <div className={styles.text}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
