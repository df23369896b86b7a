import type { CSSProperties } from 'react';
import { classes } from '../classes.ts';
import styles from './size-bar.module.css';

interface SizeBarProps {
  /** From 0 to 1. */
  fraction: number;
  tone?: 'accent' | 'honey';
  title?: string;
  className?: string | undefined;
}

/** The fraction of an entry in the size of its folder. Decorative: the size is beside it. */
export const SizeBar = ({ fraction, tone, title, className }: SizeBarProps) => (
  <span
    className={classes(styles.bar, className)}
    data-tone={tone}
    title={title}
    style={{ '--fraction': fraction } as CSSProperties}
  />
);
