import type { ReactNode, SyntheticEvent } from 'react';

/**
 * Ends the way through React's components only. `stopPropagation` would also keep the event from the document, where the
 * overlay itself listens for Tab and for presses outside.
 */
function stop(event: SyntheticEvent): void {
  event.isPropagationStopped = () => true;
}

/**
 * React hands events of an overlay to the components that declared it, though it lies elsewhere in the page. Here they
 * end, so that a key pressed in a dialog never reaches the listing behind it.
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
