import { segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useRef, useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Search, X } from '../../ui/icons.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { SearchPanel } from './search-panel.tsx';
import styles from './search-panel.module.css';

export interface SearchOverlayProps {
  /** The folder to search. */
  folder: VirtualPath;
  userId: number;
  isOpen: boolean;
  onClose: () => void;
  onOpen: (path: VirtualPath, isFolder: boolean) => void;
  /** Opens the folder that contains the entry and selects it. */
  onReveal: (path: VirtualPath) => void;
}

/** The search dialog on phones: finds entries below a folder, or in all folders. */
export function SearchOverlay(props: SearchOverlayProps) {
  const { t } = useTranslation('search');
  const [isEverywhere, setEverywhere] = useState(false);
  const folder = isEverywhere ? ('/' as VirtualPath) : props.folder;
  const name = segmentsOf(folder).at(-1);
  const close = () => {
    setEverywhere(false);
    props.onClose();
  };
  return (
    <Dialog
      title={name === undefined ? t('title') : t('titleIn', { folder: isolateBidi(name) })}
      isOpen={props.isOpen}
      onClose={close}
      size="large"
      isFlush
    >
      <SearchForm
        {...props}
        folder={folder}
        onClose={close}
        onEverywhere={folder === '/' ? null : () => setEverywhere(true)}
      />
    </Dialog>
  );
}

function SearchForm(props: SearchOverlayProps & { onEverywhere: (() => void) | null }) {
  const { t } = useTranslation('search');
  const [query, setQuery] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLDivElement>(null);
  return (
    <div ref={area} role="search" className={styles.dialog} data-search-scroller="">
      <div className={styles.head}>
        <TextField
          ref={field}
          label={t('field')}
          isLabelHidden
          size="large"
          type="search"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          autoFocus
          placeholder={t('placeholder')}
          icon={<Search />}
          value={query}
          onChange={setQuery}
          maxLength={1024}
          end={
            query !== '' && (
              <IconButton
                size="small"
                label={t('forgetRecent')}
                icon={<X />}
                hasTooltip={false}
                onClick={() => {
                  setQuery('');
                  field.current?.focus();
                }}
              />
            )
          }
        />
      </div>
      <SearchPanel {...props} query={query} onQuery={setQuery} field={field} area={area} />
    </div>
  );
}
