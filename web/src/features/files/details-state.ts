import { create } from 'zustand';
import { isPhoneNow } from '../../ui/use-media-query.ts';

const storageKey = 'filestead.details';

function readStored(): boolean {
  if (isPhoneNow()) return false;
  try {
    return localStorage.getItem(storageKey) === 'open';
  } catch {
    return false;
  }
}

/** Whether the details panel is open; remembered in this browser. On the phone it is a sheet and starts closed. */
export const useDetails = create<{ isOpen: boolean }>(() => ({ isOpen: readStored() }));

export function setDetailsOpen(isOpen: boolean): void {
  useDetails.setState({ isOpen });
  if (isPhoneNow()) return;
  try {
    localStorage.setItem(storageKey, isOpen ? 'open' : 'closed');
  } catch {
    // Storage is forbidden: the choice lasts as long as the page.
  }
}
