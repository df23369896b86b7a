import { create } from 'zustand';
import { isPhoneNow } from '../../../ui/hooks/use-media-query.ts';
import { storedText, storeText } from '../../../ui/browser-storage.ts';

const storageKey = 'filestead.details';

const isStoredOpen = (): boolean => !isPhoneNow() && storedText(storageKey) === 'open';

interface DetailsState {
  readonly isOpen: boolean;
  /** The version of the selection for which the panel was opened; null if it was not opened for one. */
  readonly openedAt: number | null;
}

/** Whether the details panel is open; remembered in this browser. On phones it is a dialog and closed at first. */
export const useDetails = create<DetailsState>(() => ({ isOpen: isStoredOpen(), openedAt: null }));

/**
 * Closes the details by Escape if they were opened for the current selection, or if there is no selection that Escape
 * could clear. Returns whether they were closed.
 */
export function closeDetailsByEscape(selection: {
  readonly selectionVersion: number;
  readonly selectedCount: number;
  readonly isSelecting: boolean;
}): boolean {
  const { isOpen, openedAt } = useDetails.getState();
  const isLatest = openedAt === selection.selectionVersion;
  const hasSelection = selection.selectedCount > 0 || selection.isSelecting;
  // On phones the details are a dialog, which handles Escape itself.
  if (!isOpen || isPhoneNow() || (hasSelection && !isLatest)) return false;
  setDetailsOpen(false);
  return true;
}

/** Opens or closes the details; `openedAt` is the version of the selection for which they are opened. */
export function setDetailsOpen(isOpen: boolean, openedAt: number | null = null): void {
  useDetails.setState({ isOpen, openedAt });
  if (!isPhoneNow()) storeText(storageKey, isOpen ? 'open' : 'closed');
}
