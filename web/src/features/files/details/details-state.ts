import { create } from 'zustand';
import { isPhoneNow } from '../../../ui/hooks/use-media-query.ts';

const storageKey = 'filestead.details';

function readStored(): boolean {
  if (isPhoneNow()) return false;
  try {
    return localStorage.getItem(storageKey) === 'open';
  } catch {
    return false;
  }
}

interface DetailsState {
  readonly isOpen: boolean;
  /** The version of the selection at which the panel was opened; null when it was not opened for a selection. */
  readonly openedAt: number | null;
}

/** Whether the details panel is open; remembered in this browser. On the phone it is a sheet and starts closed. */
export const useDetails = create<DetailsState>(() => ({ isOpen: readStored(), openedAt: null }));

/**
 * Closes the details where Escape means them: they were opened for what is selected now, or nothing is selected that
 * Escape could clear. Returns whether it did.
 */
export function closeDetailsByEscape(selection: {
  readonly selectionVersion: number;
  readonly selectedCount: number;
  readonly isSelecting: boolean;
}): boolean {
  const { isOpen, openedAt } = useDetails.getState();
  const isLatest = openedAt === selection.selectionVersion;
  const hasSelection = selection.selectedCount > 0 || selection.isSelecting;
  // On the phone the details are a dialog, which hears Escape itself.
  if (!isOpen || isPhoneNow() || (hasSelection && !isLatest)) return false;
  setDetailsOpen(false);
  return true;
}

/** Opens or closes the details; `openedAt` is the version of the selection that they are opened for. */
export function setDetailsOpen(isOpen: boolean, openedAt: number | null = null): void {
  useDetails.setState({ isOpen, openedAt });
  if (isPhoneNow()) return;
  try {
    localStorage.setItem(storageKey, isOpen ? 'open' : 'closed');
  } catch {
    // Storage is forbidden: the choice lasts as long as the page.
  }
}
