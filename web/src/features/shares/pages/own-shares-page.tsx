import type { Share } from '@filestead/contract/shares';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { isExpired } from '../../../api/public-share.ts';
import { formatNumber, pluralValues } from '../../../i18n/format.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { useDelayedFlag } from '../../../ui/hooks/use-delayed-flag.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { useIsPhone } from '../../../ui/hooks/use-media-query.ts';
import { Copy, Settings2, Trash2 } from '../../../ui/icons.ts';
import { Menu, MenuChoice, MenuSeparator, MenuTrigger } from '../../../ui/overlays/menu.tsx';
import { isHandledElsewhere, isShortcut } from '../../../ui/keyboard/keystroke.ts';
import { SelectionBar } from '../../../ui/selection/selection-bar.tsx';
import { ShareDialog } from '../dialog/share-dialog.tsx';
import { RetryMessage } from '../retry-message.tsx';
import { targetOf, type ShareTarget } from '../share-target.ts';
import { shareFailureText } from '../share-texts.ts';
import { OwnSharesList } from './own-shares-list.tsx';
import {
  chooseShareOrder,
  shareSortKeys,
  useShareOrder,
  usualOrder,
  type ShareSortKey,
} from './share-order.ts';
import { visitsOf, type OwnSharesListProps } from './share-row-parts.tsx';
import type { OwnSharesState } from './use-own-shares-page.ts';
import styles from './own-shares-page.module.css';

export interface OwnSharesPageProps {
  state: OwnSharesState;
  /** Returns the address of an entry, or of the folder that contains it. */
  addressOf: (target: ShareTarget) => string;
  /** Whether the user may download, and so see thumbnails. */
  canDownload: boolean;
  /** Returns the number of entries in a folder and its size; null while they are unknown. */
  totalOf: OwnSharesListProps['totalOf'];
  /** Called when a share gets the focus. */
  onFocus: OwnSharesListProps['onFocus'];
  /** Shows the details of an entry. */
  onDetails: OwnSharesListProps['onDetails'];
  /** Opens the folder of an entry. */
  onReveal: (target: ShareTarget) => void;
  /** Content after the filters. */
  end?: ReactNode;
}

/** The list of the user's own shares with visits, expiry and password, the actions of the selected ones, and the dialog that edits them. */
export function OwnSharesPage({ state, end, ...row }: OwnSharesPageProps) {
  const { t } = useTranslation('shares');
  const { list, shares, active, expired, selected, filters, toggleFilter, retry } = state;
  const isPhone = useIsPhone();
  const isSlow = useDelayedFlag(list.kind === 'loading');
  const [editing, setEditing] = useState<{ number: number; share: Share; isOpen: boolean } | null>(null);
  useSelectionKeys(state);
  const edit = (share: Share) => setEditing({ number: (editing?.number ?? 0) + 1, share, isOpen: true });
  const reopenAndEdit = async (share: Share) => {
    const reopened = await state.reopen(share);
    if (reopened !== null) edit(reopened);
  };
  const closeEditor = () => {
    setEditing(editing && { ...editing, isOpen: false });
    // Its options, visits, and further shares may have changed.
    retry();
  };
  const isEmpty = list.kind === 'shown' && shares.length === 0;
  const isShown = list.kind === 'shown' && !isEmpty;
  const matching = [...active, ...expired];
  return (
    <div className={styles.page}>
      {(isShown || end) && (
        <div className={styles.filters}>
          {isShown && (
            <span className={styles.chips}>
              <Chip isOn={filters.includes('soon')} onToggle={() => toggleFilter('soon')}>
                {t('shared.soon')}
              </Chip>
              <Chip isOn={filters.includes('password')} onToggle={() => toggleFilter('password')}>
                {t('shared.withPassword')}
              </Chip>
              {isPhone && <SortMenu />}
            </span>
          )}
          <span className={styles.end}>{end}</span>
        </div>
      )}
      <div className={styles.scroller} data-empty={isEmpty || undefined}>
        {list.kind === 'loading' && isSlow && (
          <p role="status" className={styles.message}>
            {t('loading', { ns: 'common' })}
          </p>
        )}
        {list.kind === 'failed' && (
          <div className={styles.message}>
            <RetryMessage text={t('failed.list', { reason: shareFailureText(list.error) })} onRetry={retry} />
          </div>
        )}
        {isEmpty && (
          <EmptyState illustration="shares" title={t('page.empty')}>
            {t('page.emptyHint')}
          </EmptyState>
        )}
        {isShown && matching.length === 0 && <p className={styles.message}>{t('shared.noMatch')}</p>}
        {matching.length > 0 && (
          <OwnSharesList
            state={state}
            {...row}
            onEdit={edit}
            onReopen={(share) => void reopenAndEdit(share)}
            onDelete={(share) => void state.remove(share)}
          />
        )}
      </div>
      {isShown && selected.length > 0 && <SelectedShares state={state} />}
      {isShown && selected.length === 0 && (
        <p className={styles.footer} role="status">
          {t('shared.links', { count: matching.length, number: formatNumber(matching.length) })}
          {', '}
          {t('shared.visits', visitsOf(matching))}
        </p>
      )}
      {editing && (
        <ShareDialog
          key={editing.number}
          target={targetOf(editing.share)}
          shownHash={editing.share.hash}
          host={state.host}
          isOpen={editing.isOpen}
          onClose={closeEditor}
        />
      )}
    </div>
  );
}

/** The actions of the selected shares, in the place of the footer. */
function SelectedShares({ state }: { state: OwnSharesState }) {
  const { t } = useTranslation('shares');
  const { selected, clear, copySelected, removeSelected } = state;
  const canCopy = selected.some((share) => !isExpired(share));
  return (
    <SelectionBar
      label={t('shared.selection')}
      text={t('public.selected', pluralValues(selected.length))}
      clearLabel={t('shared.clear')}
      onClear={clear}
      actions={[
        ...(canCopy ? [{ id: 'copy', label: t('shared.copyAll'), icon: Copy, run: copySelected }] : []),
        {
          id: 'delete',
          label: t('shared.deleteAll'),
          icon: Trash2,
          isDangerous: true,
          run: () => void removeSelected(),
        },
      ]}
    />
  );
}

/** Ctrl+A selects all shares, Escape none, Ctrl+C copies the addresses of the selected ones, and Delete deletes them. */
function useSelectionKeys(state: OwnSharesState): void {
  const latest = useRef(state);
  useEffect(() => {
    latest.current = state;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isHandledElsewhere(event)) return;
      const { selected, selectAll, clear, copySelected, removeSelected } = latest.current;
      const isCopyOfText = (getSelection()?.toString() ?? '') !== '';
      if (isShortcut(event, 'Mod+A')) selectAll();
      else if (selected.length === 0) return;
      else if (event.key === 'Escape') clear();
      else if (isShortcut(event, 'Mod+C') && !isCopyOfText) copySelected();
      else if (event.key === 'Delete') void removeSelected();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** The order of the cards on the phone, which have no column headers. */
function SortMenu() {
  const { t } = useTranslation(['shares', 'files', 'listing']);
  const { by, isDescending } = useShareOrder();
  const usual = usualOrder(by);
  const directions = {
    name: 'listing:columns.name',
    visits: 'shared.orders.visits',
    expires: 'shared.orders.expires',
    created: 'listing:columns.modified',
  } as const;
  const labels: Record<ShareSortKey, string> = {
    name: t('shared.name'),
    visits: t('shared.visitsHeader'),
    expires: t('shared.expires'),
    created: t('shared.created'),
  };
  return (
    <MenuTrigger>
      <IconButton label={t('shared.sortBy')} icon={<Settings2 />} hasTooltip={false} />
      <Menu>
        <MenuChoice
          label={t('shared.sortBy')}
          hasHeading
          value={by}
          onChange={(next) => chooseShareOrder(usualOrder(next))}
          options={shareSortKeys.map((value) => ({ value, label: labels[value] }))}
        />
        <MenuSeparator />
        <MenuChoice
          label={t('files:sortDirection')}
          value={isDescending === usual.isDescending ? 'usual' : 'other'}
          onChange={(next) =>
            chooseShareOrder({ by, isDescending: (next === 'usual') === usual.isDescending })
          }
          options={[
            { value: 'usual', label: t(`${directions[by]}.usual`) },
            { value: 'other', label: t(`${directions[by]}.other`) },
          ]}
        />
      </Menu>
    </MenuTrigger>
  );
}

function Chip({ isOn, onToggle, children }: { isOn: boolean; onToggle: () => void; children: string }) {
  return (
    <button type="button" className={styles.chip} aria-pressed={isOn} onClick={onToggle}>
      {children}
    </button>
  );
}
