import { useTranslation } from '../../../i18n/use-translation.ts';
import { Kbd } from '../../../ui/keyboard/kbd.tsx';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import { hasType, searchTypes, toggleType } from '../search-query.ts';
import styles from './search-panel.module.css';

interface TypeButtonsProps {
  query: string;
  onQuery: (query: string) => void;
}

/** The buttons that restrict the search to file types. */
export function TypeButtons({ query, onQuery }: TypeButtonsProps) {
  const { t } = useTranslation('search');
  return (
    <div className={styles.types} role="group" aria-label={t('types')}>
      {searchTypes.map((type) => (
        <button
          key={type}
          type="button"
          className={styles.type}
          aria-pressed={hasType(query, type)}
          onClick={() => onQuery(toggleType(query, type))}
        >
          <FileIcon kind={type} size={16} />
          {t(`type.${type}`)}
        </button>
      ))}
    </div>
  );
}

/** The sign of the key Enter, whose name is long in some languages. */
export const enterSign = '↵';

/** The keys of the panel, as many as fit in one line. */
export function KeyHints() {
  const { t } = useTranslation('search');
  return (
    <p className={styles.keys} aria-hidden="true">
      <span>
        <Kbd shortcut="ArrowUp" />
        <Kbd shortcut="ArrowDown" />
        {t('keys.choose')}
      </span>
      <span>
        <Kbd shortcut={enterSign} />
        {t('keys.open')}
      </span>
      <span>
        <Kbd shortcut={`Mod+${enterSign}`} />
        {t('keys.reveal')}
      </span>
      <span>
        <Kbd shortcut="Escape" />
        {t('keys.back')}
      </span>
    </p>
  );
}
