import { useEffect } from 'react';
import { isHandledElsewhere, isShortcut } from '../../ui/keyboard/keystroke.ts';

/** Calls `onUp`, which leads to the parent folder, when Backspace or Alt+Up is pressed. */
export function useUpKeys(onUp: () => void, isEnabled: boolean): void {
  useEffect(() => {
    if (!isEnabled) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isHandledElsewhere(event)) return;
      if (!isShortcut(event, 'Backspace') && !isShortcut(event, 'Alt+ArrowUp')) return;
      event.preventDefault();
      onUp();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onUp, isEnabled]);
}
