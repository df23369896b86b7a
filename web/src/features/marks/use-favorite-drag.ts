import { useState, type DragEvent } from 'react';

/** The props of an element that represents a folder and accepts drops. */
export interface FolderDropping {
  readonly 'data-drop': true | undefined;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDragLeave: () => void;
  readonly onDrop: (event: DragEvent) => void;
}

interface FavoriteDragOptions {
  /** The paths of the favorites in their order. */
  readonly order: readonly string[];
  /** Whether a drag carries entries that can become favorites. */
  readonly isEntryDrag: (data: DataTransfer) => boolean;
  /** Adds the dragged entries. */
  readonly onDropEntries: () => void;
  readonly onOrder: (paths: readonly string[]) => void;
}

/** The type of the data of a dragged favorite. */
const dragType = 'application/x-filestead-favorite';

/** The part of the height of a row at each of its edges on which a drop adds a favorite, instead of going into the folder. */
const edge = 0.2;

const isAtEdge = ({ clientY, currentTarget }: DragEvent): boolean => {
  const { top, height } = currentTarget.getBoundingClientRect();
  const position = (clientY - top) / height;
  return position < edge || position > 1 - edge;
};

/** Returns `order` with one path moved to the position `to`. */
export function withPathAt(order: readonly string[], path: string, to: number): string[] {
  const others = order.filter((other) => other !== path);
  return others.toSpliced(Math.max(0, Math.min(others.length, to)), 0, path);
}

/** Sorts favorites by dragging, and adds entries that are dropped between their rows. */
export function useFavoriteDrag({ order, isEntryDrag, onDropEntries, onOrder }: FavoriteDragOptions) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [isTarget, setTarget] = useState(false);
  /** The order while a favorite is dragged. */
  const [preview, setPreview] = useState<readonly string[] | null>(null);
  const paths = preview ?? order;
  const accepts = ({ dataTransfer }: DragEvent): boolean =>
    dataTransfer.types.includes(dragType) || isEntryDrag(dataTransfer);
  const onDragOver = (event: DragEvent, index: number | null): void => {
    if (!accepts(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (dragged === null) {
      // Users who may not copy drag entries to move them; adding a favorite does neither.
      event.dataTransfer.dropEffect = event.dataTransfer.effectAllowed === 'move' ? 'move' : 'copy';
      setTarget(true);
    } else if (index !== null && paths[index] !== dragged) setPreview(withPathAt(paths, dragged, index));
  };
  return {
    dragged,
    /** The paths in the order to show. */
    paths,
    listProps: {
      'data-drop': isTarget || undefined,
      onDragOver: (event: DragEvent) => onDragOver(event, null),
      onDragLeave: () => setTarget(false),
      onDrop: (event: DragEvent) => {
        setTarget(false);
        if (!accepts(event)) return;
        event.preventDefault();
        if (dragged === null) onDropEntries();
        else if (preview !== null) onOrder(preview);
      },
    },
    /** Returns the props of a row; `dropping` accepts drops on its folder. */
    rowProps: (path: string, index: number, dropping: FolderDropping | null) => ({
      'data-drop': dropping?.['data-drop'],
      draggable: true,
      onDragOver: (event: DragEvent) => {
        if (dropping !== null && dragged === null && !isAtEdge(event)) {
          dropping.onDragOver(event);
          if (event.isDefaultPrevented()) {
            event.stopPropagation();
            setTarget(false);
            return;
          }
        }
        if (dropping?.['data-drop']) dropping.onDragLeave();
        onDragOver(event, index);
      },
      onDragLeave: dropping?.onDragLeave,
      onDrop: (event: DragEvent) => {
        if (!dropping?.['data-drop']) return;
        event.stopPropagation();
        setTarget(false);
        dropping.onDrop(event);
      },
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.setData(dragType, path);
        event.dataTransfer.effectAllowed = 'move';
        setDragged(path);
      },
      onDragEnd: () => {
        setDragged(null);
        setPreview(null);
      },
    }),
  };
}
