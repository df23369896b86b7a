import { useTranslation } from 'react-i18next';
import { TextField } from '../../ui/fields/text-field.tsx';

/** The words of a text (docs/reference/behaviour.md §5: split at spaces, empties dropped). */
export const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');

export interface CommandsFieldProps {
  /** What was typed; its words are the commands. */
  text: string;
  onChange: (text: string) => void;
}

/** The programs that a user may run. */
export function CommandsField({ text, onChange }: CommandsFieldProps) {
  const { t } = useTranslation('users');
  return (
    <TextField
      label={t('form.commands')}
      description={t('form.commandsHint')}
      dir="ltr"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      placeholder="git svn hg"
      value={text}
      onChange={onChange}
    />
  );
}
