import { CircleCheck } from '../icons.ts';
import styles from './saved-mark.module.css';

/**
 * Shows beside a button that the values of the form are saved. Hidden from screen readers, because a toast announces
 * it.
 */
export function SavedMark({ isShown, children }: { isShown: boolean; children: string }) {
  if (!isShown) return null;
  return (
    <span className={styles.mark}>
      <CircleCheck />
      {children}
    </span>
  );
}
