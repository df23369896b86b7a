import { useRef, useState } from 'react';
import { useTranslation } from '../../../../i18n/use-translation.ts';
import { stemEnd } from '../../entries/name-check.ts';
import { suggestedName } from '../../entries/suggested-name.ts';
import { NameField, useNameFocus } from './name-field.tsx';

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
  const [initialName] = useState(() => suggestedName(name));
  const [text, setText] = useState(initialName);
  const [error, setError] = useState<string | null>(null);
  const isDone = useRef(false);

  useNameFocus(input, stemEnd(initialName, isFolder));

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
    <NameField
      inputRef={input}
      label={t('newName')}
      text={text}
      error={error}
      topPx={topPx}
      startPx={startPx}
      heightPx={heightPx}
      isTile={isTile}
      onChange={(next) => {
        setText(next);
        setError(null);
      }}
      onBlur={() => submit(false)}
      onEnter={() => submit(true)}
      onEscape={() => finish(null, true)}
    />
  );
}
