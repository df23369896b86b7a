import {
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import { formatNumber, formatSize, pluralValues } from '../../../i18n/format.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Search, X } from '../../../ui/icons.ts';
import { ListFooter } from '../../../ui/list-footer.tsx';
import { Kbd } from '../../../ui/keyboard/kbd.tsx';
import type { ListingModel } from '../listing/model/listing-model.ts';
import styles from './folder-footer.module.css';

/** The filter of the folder, for keys and menus. */
export interface FilterHandle {
  /** Shows the field and focuses it. */
  show: () => void;
}

interface FolderFooterProps {
  model: ListingModel;
  filterRef: RefObject<FilterHandle | null>;
  /** Focuses the listing. */
  onLeave: () => void;
  /** Whether the bar of the selection is shown instead of the footer. */
  isCovered: boolean;
}

/** The footer of a folder: the number of its entries and their size, and the filter. */
export function FolderFooter({ model, filterRef, onLeave, isCovered }: FolderFooterProps) {
  const { t } = useTranslation('files');
  const [text, setText] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const show = () => {
    // The bar of the selection is shown instead of the footer.
    if (isCovered) flushSync(() => model.clearSelection());
    // Rendered synchronously, so that the next key reaches the field.
    flushSync(() => setText((shown) => shown ?? ''));
    field.current?.focus();
    field.current?.select();
  };
  useImperativeHandle(filterRef, () => ({ show }));
  const change = (next: string) => {
    setText(next);
    model.filter(next);
  };
  const close = () => {
    setText(null);
    model.filter('');
    onLeave();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' || event.key === 'ArrowDown') onLeave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  if (isCovered) return null;
  return (
    <ListFooter isWideOnly>
      <Summary model={model} />
      {text === null ? (
        <button type="button" className={styles.show} onClick={show}>
          {t('filter.label')}
          <Kbd shortcut="/" />
        </button>
      ) : (
        <div className={styles.field}>
          <Search aria-hidden="true" />
          <input
            ref={field}
            type="text"
            aria-label={t('filter.label')}
            placeholder={t('filter.label')}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => change(event.target.value)}
            onKeyDown={onKeyDown}
          />
          <IconButton
            size="small"
            label={t('filter.clear')}
            icon={<X />}
            hasTooltip={false}
            onClick={close}
          />
        </div>
      )}
    </ListFooter>
  );
}

function Summary({ model }: { model: ListingModel }) {
  const { t } = useTranslation('files');
  const version = useSyncExternalStore(
    model.subscribe,
    () => `${model.phase} ${model.orderVersion} ${model.dataVersion}`,
  );
  const text = useMemo(() => {
    if (version.startsWith('loading') || version.startsWith('streaming')) return '';
    const { count, numFolders, numFiles, totalCount } = model;
    if (model.isFiltered)
      return t('footer.shown', { ...pluralValues(count), total: formatNumber(totalCount) });
    if (count === 0) return t('footer.empty');
    const counts = [
      numFolders > 0 && t('footer.folders', pluralValues(numFolders)),
      numFiles > 0 && t('footer.files', pluralValues(numFiles)),
    ]
      .filter((part) => part !== false)
      .join(t('listComma', { ns: 'common' }));
    const { shownBytes } = model;
    const hasSize = numFiles > 0 || shownBytes > 0;
    return hasSize ? `${counts} · ${formatSize(shownBytes)}` : counts;
  }, [version, model, t]);
  return (
    <p className={styles.summary}>
      <bdi>{text}</bdi>
    </p>
  );
}
