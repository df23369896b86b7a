import styles from './kbd.module.css';
import { shortcutLabel } from './shortcut.ts';

/** A key or shortcut such as `Mod+K`, in the notation of this operating system. */
export function Kbd({ shortcut }: { shortcut: string }) {
  return (
    <kbd className={styles.kbd} dir="ltr">
      {shortcutLabel(shortcut)}
    </kbd>
  );
}
