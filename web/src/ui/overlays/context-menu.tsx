import { useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { EventBarrier } from './event-barrier.tsx';
import { useLazyPart } from './lazy-part.ts';
import { menuOverlay, MenuPartsContext } from './lazy-menu-overlay.ts';

export interface ContextMenuProps {
  label: string;
  /** Where in the window (`clientX`, `clientY`), or null while there is none. */
  at: { x: number; y: number } | null;
  /** What gets the keyboard first: the first item for whoever asked with a key, else the menu itself. */
  focus?: 'first' | 'menu';
  onClose: () => void;
  /** MenuItem, MenuSeparator, MenuChoice. */
  children: ReactNode;
}

/** A menu at a point. Keep it mounted and change `at`, so that it can leave gracefully. */
export function ContextMenu({ label, at, focus = 'menu', onClose, children }: ContextMenuProps) {
  const anchor = useRef<HTMLDivElement>(null);
  const [point, setPoint] = useState(at);
  // It leaves from where it was.
  if (at !== null && (at.x !== point?.x || at.y !== point.y)) setPoint(at);
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
          key={`${point.x} ${point.y}`}
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
