/** A request to open a context menu. */
export interface MenuRequest {
  /** For the selected items, or for the list. */
  readonly place: 'itemMenu' | 'listMenu';
  /** The position in the window. */
  readonly at: { readonly x: number; readonly y: number };
  /** Whether it was opened by keyboard, so that its first item gets the focus. */
  readonly isByKey: boolean;
}
