import { rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import {
  Suspense,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type Ref,
  type RefObject,
} from 'react';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Search, X } from '../../ui/icons.ts';
import { useKeyWithin } from '../../ui/hooks/use-key-within.ts';
import { Kbd } from '../../ui/keyboard/kbd.tsx';
import styles from './search-box.module.css';

const SearchPanel = lazyWithTexts(async () => (await import('./search-panel.tsx')).SearchPanel, 'search');

/** In bars below this width, the field is an icon until it has the focus (px). */
const narrowBarPx = 900;

export interface SearchBoxHandle {
  focus: () => void;
}

interface SearchBoxProps {
  /** The folder to search, and its shown name. */
  folder: VirtualPath;
  folderName: string;
  userId: number;
  onOpen: (path: VirtualPath, isFolder: boolean) => void;
  /** Opens the folder that contains the entry and selects it. */
  onReveal: (path: VirtualPath) => void;
  /** Returns the focus to the screen. */
  onLeave: () => void;
  ref: Ref<SearchBoxHandle>;
}

/**
 * The search field of the top bar, with the results below it. The field is part of the first load, so that no key
 * press is lost while the code of the results is loaded.
 */
export function SearchBox({ folder, folderName, userId, onOpen, onReveal, onLeave, ref }: SearchBoxProps) {
  const { t } = useTranslation('files');
  const [query, setQuery] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [isEverywhere, setEverywhere] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => ({
    focus: () => {
      field.current?.focus();
      field.current?.select();
    },
  }));
  useNarrowMark(area);
  const close = () => {
    setOpen(false);
    setEverywhere(false);
  };
  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !area.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', leave, { capture: true });
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave, { capture: true });
      document.removeEventListener('focusin', leave);
    };
  }, [isOpen]);
  // The first press closes the results, the second empties the field, the third leaves it.
  useKeyWithin(area, true, (event) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (isOpen && query !== '') {
      field.current?.focus();
      close();
    } else if (query === '') {
      close();
      onLeave();
    } else setQuery('');
  });
  const label = t('searchIn', { folder: folderName });
  return (
    <div ref={area} role="search" className={styles.box} data-open={isOpen || undefined}>
      <div className={styles.field}>
        <Search aria-hidden="true" />
        <input
          ref={field}
          type="search"
          className={styles.input}
          aria-label={label}
          aria-keyshortcuts="Control+K Control+F"
          placeholder={t('search')}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={1024}
          value={query}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onChange={(event) => {
            setQuery(event.target.value);
            setOpen(true);
          }}
        />
        {query === '' ? (
          <Kbd shortcut="Mod+K" />
        ) : (
          <IconButton
            size="small"
            label={t('clearSearch')}
            icon={<X />}
            hasTooltip={false}
            onClick={() => {
              setQuery('');
              field.current?.focus();
            }}
          />
        )}
      </div>
      {isOpen && (
        <Suspense fallback={null}>
          <div className={styles.panel} data-search-scroller="">
            <SearchPanel
              folder={isEverywhere ? rootPath : folder}
              userId={userId}
              query={query}
              onQuery={setQuery}
              field={field}
              area={area}
              onClose={() => {
                close();
                setQuery('');
                field.current?.blur();
              }}
              onOpen={onOpen}
              onReveal={onReveal}
              onEverywhere={isEverywhere || folder === '/' ? null : () => setEverywhere(true)}
            />
          </div>
        </Suspense>
      )}
    </div>
  );
}

/** Marks the bar that contains the field while it is narrow. */
function useNarrowMark(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const bar = element.current?.closest('[data-top-bar]');
    if (!bar) return undefined;
    const mark = () => bar.toggleAttribute('data-narrow', bar.clientWidth < narrowBarPx);
    mark();
    const observer = new ResizeObserver(mark);
    observer.observe(bar);
    return () => observer.disconnect();
  }, [element]);
}
