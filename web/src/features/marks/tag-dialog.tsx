import { maxTagLength } from '@filestead/contract/values/limits';
import { keyOfTag } from '@filestead/contract/values/tag-key';
import { useId, useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Plus, X } from '../../ui/icons.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { TagDot } from './tag-dot.tsx';
import styles from './tag-dialog.module.css';

/** A tag of the entries of the dialog. */
export interface EntryTag {
  readonly tag: string;
  /** Whether all of the entries have it. */
  readonly isOnAll: boolean;
}

interface TagDialogProps {
  /** Names the entry, or the number of entries. */
  title: string;
  tags: readonly EntryTag[];
  /** All tags of the user, for suggestions. */
  known: readonly string[];
  isOpen: boolean;
  /** Adds a tag to all entries, or removes it from them. Resolves with the reason if that failed. */
  onChange: (tag: string, isAdded: boolean) => Promise<string | null>;
  onClose: () => void;
}

/** Edits the tags of one or several entries. Every change is saved at once. */
export function TagDialog({ title, tags, known, isOpen, onChange, onClose }: TagDialogProps) {
  const { t } = useTranslation(['marks', 'common']);
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const listId = useId();
  const used = new Set(tags.filter(({ isOnAll }) => isOnAll).map(({ tag }) => keyOfTag(tag)));
  const suggestions = known.filter((tag) => !used.has(keyOfTag(tag)));
  const change = async (tag: string, isAdded: boolean): Promise<void> =>
    setError(await onChange(tag, isAdded));
  const add = (): void => {
    const tag = text.trim();
    if (tag === '') return;
    setText('');
    void change(tag, true);
  };
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <div className={styles.content}>
        <form
          className={styles.row}
          onSubmit={(event) => {
            event.preventDefault();
            add();
          }}
        >
          <TextField
            className={styles.field}
            label={t('newTag')}
            isLabelHidden
            placeholder={t('newTag')}
            autoFocus
            autoComplete="off"
            maxLength={maxTagLength}
            list={listId}
            value={text}
            errorMessage={error ?? undefined}
            onChange={setText}
          />
          <datalist id={listId}>
            {suggestions.map((tag) => (
              <option key={tag} value={tag}>
                {tag}
              </option>
            ))}
          </datalist>
          <Button type="submit" icon={<Plus />}>
            {t('add')}
          </Button>
        </form>
        {tags.length > 0 ? (
          <ul className={styles.tags} aria-label={t('tags')}>
            {tags.map(({ tag, isOnAll }) => (
              <li key={tag} className={styles.tag} data-partly={!isOnAll || undefined}>
                <TagDot tag={tag} />
                <bdi className={styles.word}>{tag}</bdi>
                {!isOnAll && (
                  <IconButton
                    size="small"
                    label={t('addToAll', { tag })}
                    icon={<Plus />}
                    onClick={() => void change(tag, true)}
                  />
                )}
                <IconButton
                  size="small"
                  label={t('removeTag', { tag })}
                  icon={<X />}
                  onClick={() => void change(tag, false)}
                />
              </li>
            ))}
          </ul>
        ) : (
          <p className={styles.hint}>{t('noTags')}</p>
        )}
        {suggestions.length > 0 && (
          <div className={styles.suggestions} role="group" aria-label={t('yourTags')}>
            {suggestions.slice(0, 12).map((tag) => (
              <button
                key={tag}
                type="button"
                className={styles.suggestion}
                onClick={() => void change(tag, true)}
              >
                <TagDot tag={tag} />
                <bdi className={styles.word}>{tag}</bdi>
              </button>
            ))}
          </div>
        )}
      </div>
    </Dialog>
  );
}
