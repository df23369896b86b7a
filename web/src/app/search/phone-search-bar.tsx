import { maxFindQuery } from '@filestead/contract/values/limits';
import { useImperativeHandle, useRef, type ReactNode, type Ref } from 'react';
import { Link } from '../../ui/navigation/router.tsx';
import type { SearchBoxHandle } from '../../features/search/search-box.tsx';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { ArrowLeft, Search, X } from '../../ui/icons.ts';
import styles from './search-page.module.css';

interface PhoneSearchBarProps {
  ref: Ref<SearchBoxHandle>;
  text: string;
  onText: (text: string) => void;
  /** The address of the folder from which the search was started. */
  back: string;
  /** Called when the way back is chosen. */
  onBack?: (() => void) | undefined;
  onSubmit: () => void;
  /** The menu. */
  children: ReactNode;
}

/** The top bar of the results on phones: the way back and the field. */
export function PhoneSearchBar({ ref, text, onText, back, onBack, onSubmit, children }: PhoneSearchBarProps) {
  const { t } = useTranslation(['search', 'files']);
  const field = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }));
  return (
    <header className={styles.phoneBar}>
      <Link to={back} className={styles.back} aria-label={t('back')} onClick={onBack}>
        <ArrowLeft />
      </Link>
      <h1 className="visually-hidden">{t('title')}</h1>
      <div className={styles.phoneField} role="search">
        <TextField
          ref={field}
          label={t('field')}
          isLabelHidden
          size="large"
          type="search"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          icon={<Search />}
          placeholder={t('files:search')}
          maxLength={maxFindQuery}
          value={text}
          onChange={onText}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            // Hides the keyboard on the screen.
            field.current?.blur();
            onSubmit();
          }}
          end={
            text !== '' && (
              <IconButton
                size="small"
                label={t('files:clearSearch')}
                icon={<X />}
                hasTooltip={false}
                onClick={() => {
                  onText('');
                  field.current?.focus();
                }}
              />
            )
          }
        />
      </div>
      {children}
    </header>
  );
}
