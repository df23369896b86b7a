import type { ReactNode } from 'react';
import { Link } from '../../ui/navigation/router.tsx';
import styles from './home-page.module.css';

interface HomePartProps {
  title: string;
  /** The link to the whole list. */
  more?: { to: string; label: string };
  children: ReactNode;
}

/** A part of the home page with its heading. */
export function HomePart({ title, more, children }: HomePartProps) {
  return (
    <section aria-label={title}>
      <div className={styles.header}>
        <h2>{title}</h2>
        {more && <Link to={more.to}>{more.label}</Link>}
      </div>
      {children}
    </section>
  );
}
