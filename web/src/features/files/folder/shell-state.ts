import { create } from 'zustand';

/** Whether the shell is open beside the folder. It is closed at first, and when the user leaves the files screen. */
export const useShell = create<{ isOpen: boolean }>(() => ({ isOpen: false }));

export function setShellOpen(isOpen: boolean): void {
  useShell.setState({ isOpen });
}

export function toggleShell(): void {
  setShellOpen(!useShell.getState().isOpen);
}
