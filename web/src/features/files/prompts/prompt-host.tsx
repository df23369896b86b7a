import { useEffect, useState } from 'react';
import { holdPage } from '../../../ui/navigation/hold-page.ts';
import { lazyPart, useLazyPart } from '../../../ui/overlays/lazy-part.ts';
import { closeAllPrompts, usePrompts } from './prompt-store.ts';

/** Dialogs are fetched when the first one opens. */
const dialogs = lazyPart(() => import('./prompt-dialog.tsx'));

/** Fetches the dialogs while nothing else is to be done. */
export function preloadPrompts(): void {
  // A failure is reported when a dialog is really wanted.
  dialogs.load().catch(() => undefined);
}

/** Shows the open prompt, if any. */
export function PromptHost() {
  const current = usePrompts(({ open }) => open[0]);
  // While the dialog leaves, it still shows what was asked last.
  const [last, setLast] = useState(current);
  if (current && current !== last) setLast(current);
  const isOpen = current !== undefined;
  useEffect(() => (isOpen ? holdPage() : undefined), [isOpen]);
  const parts = useLazyPart(dialogs, last !== undefined, closeAllPrompts);
  if (!last || !parts) return null;
  return <parts.PromptDialog prompt={last} isOpen={isOpen} />;
}
