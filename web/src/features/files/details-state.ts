import { create } from 'zustand';

const storageKey = 'filestead.details';

/** Up to 736 px (product specification §9). */
const isPhone = (): boolean => matchMedia('(width <= 736px)').matches;

function readStored(): boolean {
  if (isPhone()) return false;
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
  if (isPhone()) return;
  try {
    localStorage.setItem(storageKey, isOpen ? 'open' : 'closed');
  } catch {
    // Storage is forbidden: the choice lasts as long as the page.
  }
}
