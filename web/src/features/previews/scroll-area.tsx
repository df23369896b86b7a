import { useRef, type HTMLAttributes, type RefObject } from 'react';
import { useScrollable } from '../../ui/hooks/use-scrollable.ts';

interface ScrollAreaProps extends Omit<HTMLAttributes<HTMLDivElement>, 'role' | 'tabIndex' | 'aria-label'> {
  label: string;
  boxRef?: RefObject<HTMLDivElement | null> | undefined;
}

/** A scrollable area that is reachable by keyboard. */
export function ScrollArea({ label, boxRef, children, ...props }: ScrollAreaProps) {
  const defaultBox = useRef<HTMLDivElement>(null);
  const box = boxRef ?? defaultBox;
  const isScrollable = useScrollable(box);
  return (
    <div ref={box} {...(isScrollable && { tabIndex: 0, role: 'region', 'aria-label': label })} {...props}>
      {children}
    </div>
  );
}
