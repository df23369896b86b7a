import type { CSSProperties } from 'react';
import { formatPercent } from '../../i18n/format.ts';
import { classes } from '../classes.ts';
import styles from './progress-bar.module.css';

export interface ProgressBarProps {
  /** The accessible name. */
  label: string;
  /** From 0 to 1, or `indeterminate` while the total is unknown. */
  value: number | 'indeterminate';
  /** Announced instead of the percentage, such as "12 of 40 files". */
  valueText?: string | undefined;
  tone?: 'accent' | 'success' | 'warning' | 'danger' | undefined;
  /** 4 px or 6 px. Default: thin. */
  size?: 'thin' | 'medium' | undefined;
  className?: string | undefined;
}

export function ProgressBar({
  label,
  value,
  valueText,
  tone = 'accent',
  size = 'thin',
  className,
}: ProgressBarProps) {
  const fraction = value === 'indeterminate' ? null : Math.min(1, Math.max(0, value));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={fraction === null ? undefined : Math.round(fraction * 100)}
      aria-valuetext={valueText ?? (fraction === null ? undefined : formatPercent(fraction))}
      className={classes(styles.track, className)}
      data-tone={tone}
      data-size={size}
      data-indeterminate={fraction === null || undefined}
    >
      <div
        className={styles.fill}
        style={fraction === null ? undefined : ({ '--fraction': fraction } as CSSProperties)}
      />
    </div>
  );
}
