import { useEffect, useState } from 'react';
import { holdTyping } from '../../../ui/keyboard/hold-typing.ts';
import { holdPage } from '../../../ui/navigation/hold-page.ts';
import { lazyPart, useLazyPart } from '../../../ui/overlays/lazy-part.ts';
import { closeAllPrompts, usePrompts } from './prompt-store.ts';

/** Dialogs are loaded when the first one opens. */
const dialogs = lazyPart(() => import('./prompt-dialog.tsx'));

/** Preloads the dialogs while the page is idle. */
export function preloadPrompts(): void {
  // A failure is reported when a dialog is actually needed.
  dialogs.load().catch(() => undefined);
}

/** Shows the open prompt, if any. */
export function PromptHost() {
  const current = usePrompts(({ open }) => open[0]);
  // While the dialog closes, it still shows the last prompt.
  const [last, setLast] = useState(current);
  if (current && current !== last) setLast(current);
  const isOpen = current !== undefined;
  useEffect(() => (isOpen ? holdPage() : undefined), [isOpen]);
  useEffect(() => (isOpen ? holdTyping() : undefined), [isOpen]);
  const parts = useLazyPart(dialogs, last !== undefined, closeAllPrompts);
  if (!last || !parts) return null;
  return <parts.PromptDialog prompt={last} isOpen={isOpen} />;
}
