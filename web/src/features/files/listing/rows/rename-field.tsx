import { useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../../i18n/use-translation.ts';
import { stemEnd } from '../../entries/name-check.ts';
import { runAfterMenus } from '../../../../ui/overlays/run-after-dialogs.ts';
import { suggestedName } from '../../entries/suggested-name.ts';
import styles from '../listing.module.css';

export interface RenameFieldProps {
  readonly name: string;
  readonly isFolder: boolean;
  /** The position of its row, in px of the rendered content. */
  readonly topPx: number;
  readonly startPx: number;
  readonly heightPx: number;
  /** Whether the name is below a picture. */
  readonly isTile: boolean;
  readonly check: (newName: string) => string | null;
  /**
   * Called when editing ends. `newName` is null without a change; with `isByKey` the focus returns to the row.
   */
  readonly onDone: (newName: string | null, isByKey: boolean) => void;
}

/** The field for renaming an entry in place. It overlays the row, since a row may not contain editable elements. */
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
  const [initialName] = useState(() => suggestedName(name));
  const [text, setText] = useState(initialName);
  const [error, setError] = useState<string | null>(null);
  const isDone = useRef(false);

  useLayoutEffect(() => {
    const takeFocus = (): void => {
      input.current?.focus({ preventScroll: true });
      input.current?.setSelectionRange(0, stemEnd(initialName, isFolder));
    };
    // Focused synchronously, so that the next key reaches the field.
    takeFocus();
    // An open menu makes the page inert, and returns the focus to the row once it has closed.
    if (document.activeElement !== input.current) runAfterMenus(takeFocus);
  }, [initialName, isFolder]);

  const finish = (newName: string | null, isByKey: boolean): void => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(newName, isByKey);
  };
  const submit = (isByKey: boolean): void => {
    const newName = text.trim();
    // A suggested name is used only after an explicit confirmation.
    const isUnchanged = newName === name || (!isByKey && newName === initialName);
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
        value={text}
        dir="auto"
        aria-label={t('newName')}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : errorId}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setText(event.target.value);
          setError(null);
        }}
        onBlur={() => submit(false)}
        onKeyDown={(event) => {
          // Keys typed into the field must not reach the listing and its actions.
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
