import type { ListingModel } from '../model/listing-model.ts';

/** What a drag of entries carries: only the name of the drag, as 100,000 paths would not fit. */
export const dragType = 'application/x-filestead-drag';

/** A drag of entries that began in this page. */
export interface DragSession {
  readonly token: string;
  readonly model: ListingModel;
  readonly count: number;
}

let running: DragSession | null = null;
let stopWatching: (() => void) | null = null;

/** The drag that is going on, or null. It outlives the screen it began on: folders open under a resting drag. */
export const currentDrag = (): DragSession | null => running;

/** Begins a drag of what `model` has selected; `source` is the row under the pointer. */
export function beginDrag(model: ListingModel, source: number): DragSession {
  endDrag();
  // Pages over plain HTTP under another name than localhost have no `randomUUID`.
  const token = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const session = { token, model, count: model.selectedCount };
  running = session;
  model.setDragSource(source);
  // The end is told to the row. Should that have left the page after all, the next move of the mouse tells it too:
  // while a drag goes on there is none.
  const listening = new AbortController();
  const { signal } = listening;
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

/** Calls `listener` whenever a drag has ended, wherever it did. */
export function onDragEnd(listener: () => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}
