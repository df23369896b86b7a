import {
  Suspense,
  useEffect,
  useId,
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
import type { SearchContext } from './search-context.ts';

const SearchPanel = lazyWithTexts(
  async () => (await import('./panel/search-panel.tsx')).SearchPanel,
  'search',
);

/** In bars below this width, the field is an icon until it has the focus (px). */
const narrowBarPx = 900;

export interface SearchBoxHandle {
  /** Focuses the field and selects its text, or puts the cursor behind it. */
  focus: (options?: { isAtEnd?: boolean }) => void;
}

interface SearchBoxProps {
  /** The accessible name of the field. */
  label: string;
  /** The shown text and its owner, on the page of results; otherwise the field keeps its text itself. */
  controlled?: { readonly text: string; readonly onText: (text: string) => void } | undefined;
  /** The results below the field; absent on the page of results. */
  panel?: SearchContext | undefined;
  /** Opens the page of results. */
  onSubmit: (query: string) => void;
  /** Returns the focus to the screen. */
  onLeave: () => void;
  ref: Ref<SearchBoxHandle>;
}

/**
 * The search field of the top bar, with the results below it. The field is part of the first load, so that no key
 * press is lost while the code of the results is loaded.
 */
export function SearchBox({ label, controlled, panel, onSubmit, onLeave, ref }: SearchBoxProps) {
  const { t } = useTranslation('files');
  const [typed, setTyped] = useState('');
  const [isFocused, setFocused] = useState(false);
  const query = controlled?.text ?? typed;
  const setQuery = controlled?.onText ?? setTyped;
  const isOpen = isFocused && panel !== undefined;
  const panelId = useId();
  // Its code may still be loading.
  const [isListed, setListed] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => ({
    focus: ({ isAtEnd = false } = {}) => {
      const input = field.current;
      input?.focus();
      if (isAtEnd) input?.setSelectionRange(input.value.length, input.value.length);
      else input?.select();
    },
  }));
  useNarrowMark(area);
  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !area.current?.contains(target)) setFocused(false);
    };
    document.addEventListener('pointerdown', leave, { capture: true });
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave, { capture: true });
      document.removeEventListener('focusin', leave);
    };
  }, [isOpen]);
  const close = () => {
    setFocused(false);
    setTyped('');
    field.current?.blur();
  };
  const submit = () => {
    if (!controlled) close();
    onSubmit(query);
  };
  // The first press closes the results, the second empties the field, the third leaves it.
  useKeyWithin(area, true, (event) => {
    if (event.isComposing || event.defaultPrevented) return;
    if (event.key === 'Enter' && event.target === field.current) {
      event.preventDefault();
      if (query.trim() !== '') submit();
    }
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (isOpen && query !== '') {
      field.current?.focus();
      setFocused(false);
    } else if (query === '') {
      setFocused(false);
      onLeave();
    } else setQuery('');
  });
  return (
    <div
      ref={area}
      role="search"
      className={styles.box}
      data-open={isOpen || (controlled && query !== '') ? '' : undefined}
    >
      <div className={styles.field}>
        <Search aria-hidden="true" />
        <input
          ref={field}
          type="search"
          className={styles.input}
          {...(panel && {
            role: 'combobox',
            'aria-expanded': isOpen && isListed,
            'aria-controls': isListed ? panelId : undefined,
            'aria-autocomplete': 'list' as const,
          })}
          aria-label={label}
          aria-keyshortcuts="Control+K Control+F"
          placeholder={panel ? t('search') : label}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={1024}
          value={query}
          onFocus={() => setFocused(true)}
          onClick={() => setFocused(true)}
          onChange={(event) => {
            setQuery(event.target.value);
            setFocused(true);
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
          <div className={styles.panel}>
            <SearchPanel
              {...panel}
              id={panelId}
              onListed={setListed}
              query={query}
              onQuery={(next) => {
                setQuery(next);
                field.current?.focus();
              }}
              field={field}
              onClose={close}
              onSubmit={submit}
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
