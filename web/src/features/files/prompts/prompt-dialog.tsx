import { TransferConflictDialog } from './transfer-conflict-dialog.tsx';
import { CompressDialog } from './compress-dialog.tsx';
import { DestinationDialog } from './destination-dialog.tsx';
import { DownloadDialog } from './download-dialog.tsx';
import { NameDialog } from './name-dialog.tsx';
import type { Prompt } from './prompt-store.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import { UndoRestDialog } from './undo-rest-dialog.tsx';

const keys = new WeakMap<Prompt, number>();
let lastKey = 0;
/** Returns a key per prompt, so that each starts with fresh fields. */
function keyOf(prompt: Prompt): number {
  const key = keys.get(prompt) ?? ++lastKey;
  keys.set(prompt, key);
  return key;
}

/** Renders the dialog of a prompt. */
export function PromptDialog({ prompt, isOpen }: { prompt: Prompt; isOpen: boolean }) {
  switch (prompt.kind) {
    case 'name':
      return <NameDialog key={keyOf(prompt)} prompt={prompt} isOpen={isOpen} />;
    case 'remove':
      return <RemoveDialog key={keyOf(prompt)} prompt={prompt} isOpen={isOpen} />;
    case 'destination':
      return <DestinationDialog key={keyOf(prompt)} prompt={prompt} isOpen={isOpen} />;
    case 'download':
      return <DownloadDialog key={keyOf(prompt)} prompt={prompt} isOpen={isOpen} />;
    case 'compress':
      return <CompressDialog key={keyOf(prompt)} prompt={prompt} isOpen={isOpen} />;
    case 'undoRest':
      return <UndoRestDialog key={keyOf(prompt)} prompt={prompt} isOpen={isOpen} />;
    case 'conflict':
      // Not keyed: the next conflict replaces the last one in the same dialog.
      return <TransferConflictDialog prompt={prompt} isOpen={isOpen} />;
  }
}
