import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './button.module.css';
import { classes } from '../classes.ts';
import own from './link-button.module.css';

export interface LinkButtonProps extends ComponentPropsWithRef<'a'> {
  href: string;
  /** As for `Button`. Default: `secondary`. */
  variant?: 'primary' | 'secondary' | 'quiet' | undefined;
  size?: 'small' | 'medium' | 'large' | undefined;
  icon?: ReactNode;
}

/** A link that looks like a button, for targets that have an address, such as a download. */
export function LinkButton(props: LinkButtonProps) {
  const { variant = 'secondary', size = 'medium', icon, className, children, ...link } = props;
  return (
    <a
      {...link}
      data-variant={variant}
      data-size={size}
      className={classes(styles.button, own.link, className)}
    >
      {icon}
      <span className={styles.text}>{children}</span>
    </a>
  );
}
