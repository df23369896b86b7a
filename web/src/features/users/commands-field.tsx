import { useTranslation } from '../../i18n/use-translation.ts';
import { TextField } from '../../ui/fields/text-field.tsx';

/** Splits a string into words (docs/reference/behaviour.md §5: at spaces, without empty words). */
export const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');

export interface CommandsFieldProps {
  /** The typed text; its words are the commands. */
  text: string;
  onChange: (text: string) => void;
  onBlur?: (() => void) | undefined;
}

/** The commands that a user may run. */
export function CommandsField({ text, onChange, onBlur }: CommandsFieldProps) {
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
      onBlur={onBlur}
    />
  );
}
