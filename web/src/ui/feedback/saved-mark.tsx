import { CircleCheck } from '../icons.ts';
import styles from './saved-mark.module.css';

/** Says beside a button that what stands in the form is stored. A notice reads it out, so this does not. */
export function SavedMark({ isShown, children }: { isShown: boolean; children: string }) {
  if (!isShown) return null;
  return (
    <span className={styles.mark}>
      <CircleCheck />
      {children}
    </span>
  );
}
