import { useRef, type HTMLAttributes, type RefObject } from 'react';
import { useScrollable } from '../../ui/hooks/use-scrollable.ts';

interface ScrollAreaProps extends Omit<HTMLAttributes<HTMLDivElement>, 'role' | 'tabIndex' | 'aria-label'> {
  label: string;
  boxRef?: RefObject<HTMLDivElement | null> | undefined;
}

/** A document that scrolls, by keyboard too. */
export function ScrollArea({ label, boxRef, children, ...props }: ScrollAreaProps) {
  const own = useRef<HTMLDivElement>(null);
  const box = boxRef ?? own;
  const isScrollable = useScrollable(box);
  return (
    <div ref={box} {...(isScrollable && { tabIndex: 0, role: 'region', 'aria-label': label })} {...props}>
      {children}
    </div>
  );
}
