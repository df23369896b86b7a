import type { ReactNode } from 'react';
import { BaseButton, type BaseButtonProps } from './base-button.tsx';
import styles from './button.module.css';
import { classes } from '../classes.ts';
import { Spinner } from '../feedback/spinner.tsx';

export interface ButtonProps extends BaseButtonProps {
  /** At most one `primary` per screen. Default: `secondary`. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger' | undefined;
  size?: 'small' | 'medium' | 'large' | undefined;
  icon?: ReactNode;
  /** After the text, such as the arrow of a menu button. */
  endIcon?: ReactNode;
  isFullWidth?: boolean | undefined;
}

export function Button({
  variant = 'secondary',
  size = 'medium',
  icon,
  endIcon,
  isFullWidth = false,
  isPending,
  className,
  children,
  ...props
}: ButtonProps) {
  return (
    <BaseButton
      {...props}
      isPending={isPending}
      data-variant={variant}
      data-size={size}
      className={classes(styles.button, isFullWidth && styles.fullWidth, className)}
    >
      {isPending ? <Spinner /> : icon}
      <span className={styles.text}>{children}</span>
      {endIcon}
    </BaseButton>
  );
}
