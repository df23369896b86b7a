import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { ArchiveFormat } from '@filestead/contract/values/archive-formats';
import { create } from 'zustand';
import type { FileEntry } from '../entries/entry.ts';
import type { TransferConflict, ConflictReply } from '../transfers/conflict.ts';
import type { TransferKind } from '../transfers/plan-transfer.ts';

/** Asks for the name of a new entry, or a new name of an existing one. */
export interface NamePrompt {
  readonly kind: 'name';
  readonly purpose: 'newFolder' | 'newFile' | 'rename';
  readonly folder: VirtualPath;
  /** The entry that is renamed. */
  readonly entry?: FileEntry;
  readonly isTaken: (name: string) => boolean;
  /** Performs the action; an error is shown in the dialog, which stays open. */
  readonly submit: (name: string) => Promise<void>;
}

/** Asks before entries are deleted permanently, or copied to the trash. */
export interface RemovePrompt {
  readonly kind: 'remove';
  readonly entries: readonly FileEntry[];
  /** Whether it is asked because the entries cannot be moved to the trash. */
  readonly cannotKeep?: boolean | undefined;
  /** Whether it asks for a copy to the trash, because the entries cannot be moved there. */
  readonly needsCopy?: boolean | undefined;
  readonly onConfirm: () => void;
}

/** Asks for the folder to which entries are moved or copied, files uploaded, or deleted items restored. */
export interface DestinationPrompt {
  readonly kind: 'destination';
  readonly transfer: TransferKind | 'upload' | 'restore';
  /** Empty for uploads and deleted items. */
  readonly entries: readonly FileEntry[];
  /** The names of uploaded files or deleted items. */
  readonly names?: readonly string[];
  /** The folder that is shown first. */
  readonly start: VirtualPath;
  readonly canCreate: boolean;
  readonly onChosen: (destination: VirtualPath) => void;
}

/** Asks how to resolve a conflict. */
export interface ConflictPrompt {
  readonly kind: 'conflict';
  readonly conflict: TransferConflict;
  readonly remaining: number;
  readonly onReply: (reply: ConflictReply) => void;
}

/** The entries of an archive. */
export interface ArchiveContent {
  readonly paths: readonly VirtualPath[];
  /** The name of a single folder; empty for several entries. */
  readonly name: string;
}

/** Asks for the archive format of a download. */
export interface DownloadPrompt extends ArchiveContent {
  readonly kind: 'download';
  /** The reason why the server refused the format that was chosen last. */
  readonly failure?: string;
}

/** Asks for the name and the format of an archive that is created. */
export interface CompressPrompt {
  readonly kind: 'compress';
  readonly folder: VirtualPath;
  /** The name of a single entry; empty for several. */
  readonly name: string;
  /** The number of entries. */
  readonly count: number;
  /** The suggested name of the archive, without extension. */
  readonly suggestion: string;
  readonly onChosen: (stem: string, format: ArchiveFormat) => void;
}

/** Asks whether to undo the part of an action that has not changed since. */
export interface UndoRestPrompt {
  readonly kind: 'undoRest';
  /** The number of entries of the action, and of those that can be undone. */
  readonly total: number;
  readonly undone: number;
  readonly onReply: (isConfirmed: boolean) => void;
}

export type Prompt =
  | NamePrompt
  | RemovePrompt
  | DestinationPrompt
  | ConflictPrompt
  | DownloadPrompt
  | CompressPrompt
  | UndoRestPrompt;

/** The open prompts of the files screen; the first one is shown, the others wait. */
export const usePrompts = create<{ open: readonly Prompt[] }>(() => ({ open: [] }));

export function openPrompt(prompt: Prompt): void {
  usePrompts.setState(({ open }) => ({ open: [...open, prompt] }));
}

/** Closes `prompt`, answered or not. */
export function closePrompt(prompt: Prompt): void {
  usePrompts.setState(({ open }) => ({ open: open.filter((other) => other !== prompt) }));
}

/** Shows a conflict and resolves with the reply. */
export const askConflict = (conflict: TransferConflict, remaining: number): Promise<ConflictReply> =>
  new Promise((resolve) => {
    const prompt: ConflictPrompt = { kind: 'conflict', conflict, remaining, onReply: resolve };
    openPrompt(prompt);
  });

/** Closes all prompts when the user leaves the screen; conflicts are answered with "cancel". */
export function closeAllPrompts(): void {
  const { open } = usePrompts.getState();
  usePrompts.setState({ open: [] });
  for (const prompt of open) {
    if (prompt.kind === 'conflict') prompt.onReply({ choice: 'cancel', forRemaining: false });
    if (prompt.kind === 'undoRest') prompt.onReply(false);
  }
}
