import { useEffect, useRef } from 'react';
import { isShortcut } from './keystroke.ts';

/** Calls `act` when one of `shortcuts` is pressed anywhere, also in a text field, unless a dialog is open. */
export function useShortcuts(shortcuts: readonly string[], act: () => void): void {
  const latest = useRef({ shortcuts, act });
  useEffect(() => {
    latest.current = { shortcuts, act };
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isPressed = latest.current.shortcuts.some((shortcut) => isShortcut(event, shortcut));
      if (event.defaultPrevented || !isPressed) return;
      if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return;
      event.preventDefault();
      latest.current.act();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
