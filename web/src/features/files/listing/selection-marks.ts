import type { ListingSurface } from './surface.ts';

/** Marks the root element, for styling, while entries are selected, taps select, or a drag is running. */
export function attachSelectionMarks(surface: ListingSurface): () => void {
  const { model } = surface;
  const { root } = surface.elements;
  const mark = (): void => {
    root.toggleAttribute('data-selecting', model.isSelecting || model.selectedCount > 0);
    root.toggleAttribute('data-dragging', model.dragSource !== null);
  };
  mark();
  return model.subscribe(mark);
}
