import type { ListingModel } from '../model/listing-model.ts';

/** The media type of the data of a drag: only its token, since 100,000 paths would not fit. */
export const dragType = 'application/x-filestead-drag';

/** A drag of entries that started in this page. */
export interface DragSession {
  readonly token: string;
  readonly model: ListingModel;
  readonly count: number;
}

let running: DragSession | null = null;
let stopWatching: (() => void) | null = null;

/**
 * Returns the running drag, or null. It outlives the screen on which it started, since folders open when a drag rests
 * on them.
 */
export const currentDrag = (): DragSession | null => running;

/** Starts a drag of the entries selected in `model`; `source` is the row under the pointer, and `element` the dragged element. */
export function beginDrag(model: ListingModel, source: number, element: EventTarget | null): DragSession {
  endDrag();
  // `randomUUID` does not exist on pages over plain HTTP, except localhost.
  const token = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const session = { token, model, count: model.selectedCount };
  running = session;
  model.setDragSource(source);
  // The `dragend` event goes to the row, which may have left the page. Firefox sends none then: the next mouse movement ends the
  // drag, since none occurs during a drag.
  const listening = new AbortController();
  const { signal } = listening;
  element?.addEventListener('dragend', endDrag, { signal });
  document.addEventListener('dragend', endDrag, { signal, capture: true });
  document.addEventListener('drop', () => setTimeout(endDrag), { signal, capture: true });
  document.addEventListener('mousemove', (event) => event.buttons === 0 && endDrag(), { signal });
  stopWatching = () => listening.abort();
  return session;
}

export function endDrag(): void {
  stopWatching?.();
  stopWatching = null;
  const ended = running;
  running = null;
  ended?.model.setDragSource(null);
  ended?.model.setDropTarget(null);
  for (const listener of endListeners) listener();
}

const endListeners = new Set<() => void>();

/** Calls `listener` whenever a drag has ended, on any screen. */
export function onDragEnd(listener: () => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}
