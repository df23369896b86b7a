import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './button.module.css';
import { buttonLook, type LinkVariant } from './button-look.ts';

export interface LinkButtonProps extends ComponentPropsWithRef<'a'> {
  href: string;
  /** As for `Button`. Default: `secondary`. */
  variant?: LinkVariant | undefined;
  size?: 'small' | 'medium' | 'large' | undefined;
  icon?: ReactNode;
}

/** A link that looks like a button, for targets that have an address, such as a download. */
export function LinkButton(props: LinkButtonProps) {
  const { variant, size = 'medium', icon, className, children, ...link } = props;
  return (
    <a {...link} {...buttonLook(variant, className)} data-size={size}>
      {icon}
      <span className={styles.text}>{children}</span>
    </a>
  );
}
