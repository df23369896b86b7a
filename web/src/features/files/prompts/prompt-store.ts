import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { create } from 'zustand';
import type { FileEntry } from '../entries/entry.ts';
import type { Conflict, ConflictReply } from '../transfers/conflict.ts';
import type { TransferKind } from '../transfers/plan-transfer.ts';

/** A name for something new, or another one for something that is there. */
export interface NamePrompt {
  readonly kind: 'name';
  readonly purpose: 'newFolder' | 'newFile' | 'rename';
  readonly folder: VirtualPath;
  /** What is renamed. */
  readonly entry?: FileEntry;
  readonly isTaken: (name: string) => boolean;
  /** Does it; what it throws is shown in the dialog, which then stays open. */
  readonly submit: (name: string) => Promise<void>;
}

/** A question before something is deleted for good. */
export interface RemovePrompt {
  readonly kind: 'remove';
  readonly entries: readonly FileEntry[];
  readonly onConfirm: () => void;
}

/** The folder that entries are moved or copied to, or that files from outside are uploaded to. */
export interface DestinationPrompt {
  readonly kind: 'destination';
  readonly transfer: TransferKind | 'upload';
  /** Empty for uploads. */
  readonly entries: readonly FileEntry[];
  /** Of the files that are uploaded. */
  readonly names?: readonly string[];
  /** The folder that is shown first. */
  readonly start: VirtualPath;
  readonly canCreate: boolean;
  readonly onChosen: (destination: VirtualPath) => void;
}

/** Two entries that want the same name. */
export interface ConflictPrompt {
  readonly kind: 'conflict';
  readonly conflict: Conflict;
  readonly remaining: number;
  readonly onReply: (reply: ConflictReply) => void;
}

/** The form of the archive that folders or several files are downloaded as. */
export interface DownloadPrompt {
  readonly kind: 'download';
  readonly paths: readonly VirtualPath[];
  /** What is downloaded when it is a single folder; empty when there are several entries. */
  readonly name: string;
}

export type Prompt = NamePrompt | RemovePrompt | DestinationPrompt | ConflictPrompt | DownloadPrompt;

/** The open dialog of the files screen. Prompts that come while one is open wait. */
export const usePrompts = create<{ open: readonly Prompt[] }>(() => ({ open: [] }));

export function openPrompt(prompt: Prompt): void {
  usePrompts.setState(({ open }) => ({ open: [...open, prompt] }));
}

/** Closes `prompt`, answered or not. */
export function closePrompt(prompt: Prompt): void {
  usePrompts.setState(({ open }) => ({ open: open.filter((other) => other !== prompt) }));
}

/** Shows a conflict and waits for the answer. */
export const askConflict = (conflict: Conflict, remaining: number): Promise<ConflictReply> =>
  new Promise((resolve) => {
    const prompt: ConflictPrompt = { kind: 'conflict', conflict, remaining, onReply: resolve };
    openPrompt(prompt);
  });

/** Closes what only makes sense on the screen that is being left; a conflict is answered with "cancel". */
export function closeAllPrompts(): void {
  const { open } = usePrompts.getState();
  usePrompts.setState({ open: [] });
  for (const prompt of open) {
    if (prompt.kind === 'conflict') prompt.onReply({ choice: 'cancel', forRemaining: false });
  }
}
