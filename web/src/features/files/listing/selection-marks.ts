import type { ListingSurface } from './surface.ts';

/** Shows on the whole area, for its style, that something is selected or that taps select. */
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
