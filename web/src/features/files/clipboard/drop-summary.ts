/** The effect of a drop. */
export interface DropSummary {
  readonly kind: 'move' | 'copy' | 'upload';
  /** The number of entries or files; 0 if the browser does not report it before the drop. */
  readonly count: number;
}

/** Returns the number of dragged files; 0 if the browser does not report it before the drop. */
export const draggedFileCount = (data: DataTransfer | null): number =>
  Array.from(data?.items ?? []).filter(({ kind }) => kind === 'file').length;
