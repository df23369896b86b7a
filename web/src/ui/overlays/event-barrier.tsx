import type { ReactNode, SyntheticEvent } from 'react';

/**
 * Stops the event for React's components only. `stopPropagation` would also keep it from the document, where the
 * overlay itself listens for Tab and for presses outside.
 */
function stop(event: SyntheticEvent): void {
  event.isPropagationStopped = () => true;
}

/**
 * React propagates events of an overlay to the components that declared it, although it is elsewhere in the document.
 * This component stops them, so that a key pressed in a dialog never reaches the listing behind it.
 */
export function EventBarrier({ children }: { children: ReactNode }) {
  return (
    <div
      role="presentation"
      style={{ display: 'contents' }}
      onClick={stop}
      onContextMenu={stop}
      onCopy={stop}
      onCut={stop}
      onDoubleClick={stop}
      onDragEnter={stop}
      onDragOver={stop}
      onDrop={stop}
      onKeyDown={stop}
      onKeyUp={stop}
      onMouseDown={stop}
      onPaste={stop}
      onPointerDown={stop}
      onPointerMove={stop}
      onPointerUp={stop}
      onTouchStart={stop}
      onWheel={stop}
    >
      {children}
    </div>
  );
}
