import { classes } from '../classes.ts';
import styles from './skeleton.module.css';

export interface SkeletonProps {
  /** CSS lengths. Default: the full width, one line of text high. */
  width?: string | undefined;
  height?: string | undefined;
  isRound?: boolean | undefined;
  className?: string | undefined;
}

/**
 * A placeholder for content that is loading. Show it through `useDelayedFlag`, and announce "loading" in words
 * elsewhere.
 */
export function Skeleton({ width, height, isRound, className }: SkeletonProps) {
  return (
    <span
      aria-hidden="true"
      className={classes(styles.skeleton, className)}
      data-round={isRound || undefined}
      style={{ inlineSize: width, blockSize: height }}
    />
  );
}
