import { create } from 'zustand';
import type { FileEntry } from '../../features/files/entries/entry.ts';

/** The entries whose tags are edited; they stay while the dialog closes. */
export const useTagPrompt = create<{
  readonly entries: readonly Pick<FileEntry, 'name' | 'path'>[];
  readonly isOpen: boolean;
  /** Increases with every opening. */
  readonly opening: number;
}>(() => ({ entries: [], isOpen: false, opening: 0 }));

/** Opens the dialog that edits the tags of entries. */
export const openTagPrompt = (entries: readonly Pick<FileEntry, 'name' | 'path'>[]): void =>
  useTagPrompt.setState(({ opening }) => ({ entries, isOpen: true, opening: opening + 1 }));

/** Closes the dialog. */
export const closeTagPrompt = (): void => useTagPrompt.setState({ isOpen: false });
