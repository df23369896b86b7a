import { useId, type ReactNode, type SyntheticEvent } from 'react';
import styles from './card.module.css';
import { classes } from './classes.ts';

export interface CardProps {
  title: string;
  /** One sentence. */
  description?: ReactNode;
  /** Beside the title. */
  actions?: ReactNode;
  /** The buttons at the bottom. */
  footer?: ReactNode;
  /** Makes the card a form, so that Enter in a field submits it. */
  onSubmit?: (() => void) | undefined;
  children: ReactNode;
}

/** A part of a page with its own title. */
export function Card({ title, description, actions, footer, onSubmit, children }: CardProps) {
  const id = useId();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  const content = (
    <>
      <div className={styles.body}>{children}</div>
      {footer && <div className={styles.footer}>{footer}</div>}
    </>
  );
  return (
    <section className={styles.card} aria-labelledby={id}>
      <div className={styles.header}>
        <div className={styles.texts}>
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
          {description && <p className={styles.description}>{description}</p>}
        </div>
        {actions}
      </div>
      {onSubmit === undefined ? (
        content
      ) : (
        <form noValidate onSubmit={submit}>
          {content}
        </form>
      )}
    </section>
  );
}

export interface CardPartProps {
  title: string;
  description?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

/** A group of related fields in a card. */
export function CardPart({ title, description, className, children }: CardPartProps) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className={classes(styles.part, className)}>
      <div>
        <h3 id={id} className={styles.partTitle}>
          {title}
        </h3>
        {description && <p className={styles.description}>{description}</p>}
      </div>
      {children}
    </div>
  );
}
