import type { ReactNode } from 'react';
import { Link } from '../../ui/navigation/router.tsx';
import styles from './home-page.module.css';

interface HomePartProps {
  title: string;
  /** At the end of the title's line; phones have no room for it. */
  note?: string | undefined;
  /** The link to the whole list. */
  more?: { to: string; label: ReactNode };
  children: ReactNode;
}

/** A part of the home page with its heading. */
export function HomePart({ title, note, more, children }: HomePartProps) {
  return (
    <section aria-label={title}>
      <div className={styles.header}>
        <h2>{title}</h2>
        {note !== undefined && <p className={styles.note}>{note}</p>}
        {more && <Link to={more.to}>{more.label}</Link>}
      </div>
      {children}
    </section>
  );
}
