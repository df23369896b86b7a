import { create } from 'zustand';

/** Whether the shell is open beside the folder. It starts closed, and closes when the files screen is left. */
export const useShell = create<{ isOpen: boolean }>(() => ({ isOpen: false }));

export function setShellOpen(isOpen: boolean): void {
  useShell.setState({ isOpen });
}

export function toggleShell(): void {
  setShellOpen(!useShell.getState().isOpen);
}
