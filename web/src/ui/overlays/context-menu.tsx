import { useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { EventBarrier } from './event-barrier.tsx';
import { useLazyPart } from './lazy-part.ts';
import { menuOverlay, MenuPartsContext } from './lazy-menu-overlay.ts';
import '../outer-press.ts';
import { useOpeningCount } from './use-opening-count.ts';

export interface ContextMenuProps {
  label: string;
  /** The position in the window (`clientX`, `clientY`), or null while the menu is closed. */
  at: { x: number; y: number } | null;
  /** The initial focus: the first item if the menu was opened by keyboard, otherwise the menu itself. */
  focus?: 'first' | 'menu';
  onClose: () => void;
  /** Any of `MenuItem`, `MenuSeparator` and `MenuChoice`. */
  children: ReactNode;
}

/** A menu at a point. Keep it mounted and change `at`, so that its exit animation can run. */
export function ContextMenu({ label, at, focus = 'menu', onClose, children }: ContextMenuProps) {
  const anchor = useRef<HTMLDivElement>(null);
  const [point, setPoint] = useState(at);
  // The exit animation runs at the position where the menu was.
  if (at !== null && (at.x !== point?.x || at.y !== point.y)) setPoint(at);
  const openings = useOpeningCount(at !== null);
  const parts = useLazyPart(menuOverlay, point !== null, onClose);
  if (point === null || parts === null) return null;
  return (
    <EventBarrier>
      {createPortal(
        <div
          ref={anchor}
          style={{
            position: 'fixed',
            left: point.x,
            top: point.y,
            width: 1,
            height: 1,
            pointerEvents: 'none',
          }}
        />,
        document.body,
      )}
      <MenuPartsContext value={parts}>
        <parts.MenuOverlay
          // A menu that is opened again while it is fading out, or at another point, starts again.
          key={`${openings} ${point.x} ${point.y}`}
          label={label}
          isOpen={at !== null}
          onClose={onClose}
          triggerRef={anchor}
          placement="end top"
          focus={focus}
          isAtPoint
        >
          {children}
        </parts.MenuOverlay>
      </MenuPartsContext>
    </EventBarrier>
  );
}
