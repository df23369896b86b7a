import { useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { stemEnd } from '../../entries/name-check.ts';
import { suggestedName } from '../../entries/suggested-name.ts';
import styles from '../listing.module.css';

export interface RenameFieldProps {
  readonly name: string;
  readonly isFolder: boolean;
  /** Of its row, in px of what is laid out. */
  readonly topPx: number;
  readonly startPx: number;
  readonly heightPx: number;
  /** Its name stands below a picture. */
  readonly isTile: boolean;
  readonly check: (newName: string) => string | null;
  /** `newName` is null when nothing is to be changed; `isByKey` says that the keyboard goes back to the row. */
  readonly onDone: (newName: string | null, isByKey: boolean) => void;
}

/** The name of an entry while it is edited in place. Lies over its row, as a row may hold nothing that can be edited. */
export function RenameField({
  name,
  isFolder,
  topPx,
  startPx,
  heightPx,
  isTile,
  check,
  onDone,
}: RenameFieldProps) {
  const { t } = useTranslation('listing');
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const [first] = useState(() => suggestedName(name));
  const [typed, setTyped] = useState(first);
  const [error, setError] = useState<string | null>(null);
  const isDone = useRef(false);

  // At once: the next key belongs to the name.
  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true });
    input.current?.setSelectionRange(0, stemEnd(first, isFolder));
  }, [first, isFolder]);

  const finish = (newName: string | null, isByKey: boolean): void => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(newName, isByKey);
  };
  const submit = (isByKey: boolean): void => {
    const newName = typed.trim();
    // A proposal counts only when it was confirmed.
    const isUnchanged = newName === name || (!isByKey && newName === first);
    if (newName === '' || isUnchanged) {
      finish(null, isByKey);
      return;
    }
    const problem = check(newName);
    if (problem === null) finish(newName, isByKey);
    else if (isByKey) setError(problem);
    else finish(null, false);
  };

  return (
    <div
      className={styles.renameField}
      data-part="editor"
      data-tile={isTile || undefined}
      style={{
        insetInlineStart: `${startPx}px`,
        blockSize: `${heightPx}px`,
        transform: `translateY(${topPx}px)`,
      }}
    >
      <input
        ref={input}
        className={styles.renameInput}
        value={typed}
        dir="auto"
        aria-label={t('newName')}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : errorId}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setTyped(event.target.value);
          setError(null);
        }}
        onBlur={() => submit(false)}
        onKeyDown={(event) => {
          // The keys of the listing and of its actions mean nothing while a name is typed.
          event.stopPropagation();
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') {
            event.preventDefault();
            submit(true);
          } else if (event.key === 'Escape') {
            event.preventDefault();
            finish(null, true);
          }
        }}
      />
      {error !== null && (
        <div id={errorId} role="alert" className={styles.renameError}>
          {error}
        </div>
      )}
    </div>
  );
}
