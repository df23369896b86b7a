import { useRef, type HTMLAttributes, type RefObject } from 'react';
import { classes } from '../../ui/classes.ts';
import { useScrollable } from '../../ui/hooks/use-scrollable.ts';
import styles from './scroll-area.module.css';

interface ScrollAreaProps extends Omit<HTMLAttributes<HTMLDivElement>, 'role' | 'tabIndex' | 'aria-label'> {
  label: string;
  boxRef?: RefObject<HTMLDivElement | null> | undefined;
}

/** A scrollable area that is reachable by keyboard. */
export function ScrollArea({ label, boxRef, className, children, ...props }: ScrollAreaProps) {
  const defaultBox = useRef<HTMLDivElement>(null);
  const box = boxRef ?? defaultBox;
  const isScrollable = useScrollable(box);
  return (
    <div
      ref={box}
      className={classes(styles.area, className)}
      {...(isScrollable && { tabIndex: 0, role: 'region', 'aria-label': label })}
      {...props}
    >
      {children}
    </div>
  );
}
