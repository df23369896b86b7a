import { classes } from '../classes.ts';
import styles from './skeleton.module.css';

export interface SkeletonProps {
  /** CSS lengths. Default: the whole width, one line of text high. */
  width?: string | undefined;
  height?: string | undefined;
  isRound?: boolean | undefined;
  className?: string | undefined;
}

/** The place of something that is on its way. Show it through `useDelayedFlag`; say "loading" elsewhere in words. */
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
