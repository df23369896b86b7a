import type { DuplicateGroup } from '@filestead/contract/endpoints/duplicates';
import {
  nameOf,
  parentOf,
  type RequestedPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { useMemo, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from '../../ui/navigation/router.tsx';
import { pageConfig } from '../../api/page-config.ts';
import type { FileEntry } from '../../features/files/entries/entry.ts';
import { removeEntries } from '../../features/files/actions/lazy-changes.ts';
import { toastFailure } from '../../features/files/feedback/toasts.ts';
import { FolderCrumbs } from '../../features/files/header/folder-crumbs.tsx';
import { isActive, progressOf } from '../../features/files/jobs/job-store.ts';
import { PromptHost } from '../../features/files/prompts/prompt-host.tsx';
import { openPrompt } from '../../features/files/prompts/prompt-store.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import {
  keepSelectable,
  reclaimableBytes,
  selectAllBut,
  selectedBytes,
  type KeepRule,
} from '../../features/space/duplicates/choose-duplicates.ts';
import { DuplicateGroups } from '../../features/space/duplicates/duplicate-groups.tsx';
import { displayName } from '../../i18n/display-name.ts';
import { formatDate, formatNumber, formatSize, pluralValues } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { ChevronDown, Trash2 } from '../../ui/icons.ts';
import { Menu, MenuItem, MenuTrigger } from '../../ui/overlays/menu.tsx';
import { SelectionBar } from '../../ui/selection/selection-bar.tsx';
import { ErrorScreen, statusOfError } from '../frame/error-screen.tsx';
import { Frame } from '../frame/frame.tsx';
import { FramedError } from '../routes/framed-error.tsx';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { duplicatesAddress, duplicatesPathOf, spaceAddress } from '../routes/file-address.ts';
import { usePageTitle } from '../routes/page-title.ts';
import { FolderSummary } from '../space/folder-summary.tsx';
import styles from './duplicates-page.module.css';
import { useDuplicates, type Duplicates } from './use-duplicates.ts';

/** The page of files with equal contents below a folder. */
export function DuplicatesPage() {
  const { pathname } = useLocation();
  const { perm } = useCurrentUser();
  const requested = duplicatesPathOf(pathname);
  if (requested === null) return <FramedError status={404} />;
  // Users without this permission must not learn the contents of a file, not even that they equal others.
  if (!perm.download) return <FramedError status={403} />;
  return <Page key={requested.path} requested={requested} />;
}

function Page({ requested: { path } }: { requested: RequestedPath }) {
  const { t } = useTranslation(['space', 'app']);
  const navigate = useNavigate();
  const { perm } = useCurrentUser();
  const duplicates = useDuplicates(path);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const groups = useMemo(() => duplicates.result?.groups ?? [], [duplicates.result]);
  const selected = useMemo(() => keepSelectable(groups, chosen), [groups, chosen]);
  const content = useRef<HTMLDivElement>(null);
  const name = displayName(nameOf(path)) || t('app:frame.myFiles');
  usePageTitle(nameOf(path), t('duplicates.title'));

  const remove = async (): Promise<void> => {
    // Files may have changed since the list was loaded. One file of each group has to remain.
    const latest = await duplicates.reload();
    const entries = entriesOf(latest?.groups ?? groups, keepSelectable(latest?.groups ?? groups, selected));
    if (entries.length === 0) return;
    // A file that is restored by Undo is not selected.
    setChosen(new Set());
    const act = (): void => void removeEntries(entries, { canPurge: perm.purge });
    if (pageConfig.EnableTrash) act();
    else openPrompt({ kind: 'remove', entries, onConfirm: act });
  };
  return (
    <>
      <Frame
        header={
          <FolderCrumbs
            path={path}
            addressOf={duplicatesAddress}
            drop={{ can: { rename: false, create: false }, onDrop: () => undefined }}
            onOpen={(folder) => void navigate(duplicatesAddress(folder))}
          />
        }
        phone={{
          title: t('duplicates.title'),
          back: { name: t('title'), to: spaceAddress(path) },
        }}
        usagePath={path}
        folder={path}
        regainFocus={() => content.current?.focus()}
      >
        <div className={styles.page}>
          <Summary
            path={path}
            name={name}
            duplicates={duplicates}
            onKeep={perm.delete && groups.length > 0 ? (rule) => setChosen(selectAllBut(groups, rule)) : null}
          />
          <div ref={content} className={styles.content} tabIndex={-1}>
            {groups.length > 0 && (
              <DuplicateGroups
                groups={groups}
                selected={selected}
                onSelect={perm.delete ? setChosen : null}
                renderLink={(file, children) => (
                  <Link to={fileAddress(parentOf(file), true)} state={{ reveal: nameOf(file) }}>
                    {children}
                  </Link>
                )}
              />
            )}
            {duplicates.result?.more === true && (
              <p className={styles.more}>
                {t('duplicates.more')}
                {duplicates.canShowMore && (
                  <Button onClick={duplicates.showMore}>{t('duplicates.showMore')}</Button>
                )}
              </p>
            )}
            <SearchState duplicates={duplicates} />
          </div>
          {selected.size > 0 && (
            <SelectionBar
              label={t('duplicates.selection')}
              text={t('duplicates.selected', {
                ...pluralValues(selected.size),
                size: formatSize(selectedBytes(groups, selected)),
              })}
              clearLabel={t('duplicates.clear')}
              onClear={() => setChosen(new Set())}
              actions={[
                {
                  id: 'delete',
                  label: t('duplicates.delete'),
                  icon: Trash2,
                  isDangerous: true,
                  run: () => void remove(),
                },
              ]}
            />
          )}
        </div>
      </Frame>
      <PromptHost />
    </>
  );
}

/** Returns the selected files as entries of a listing. */
function entriesOf(groups: readonly DuplicateGroup[], selected: ReadonlySet<string>): FileEntry[] {
  return groups.flatMap(({ size, files }) =>
    files
      .filter(({ path }) => selected.has(path))
      .map(({ path, modified, type }) => ({
        name: nameOf(path as VirtualPath),
        path: path as VirtualPath,
        isFolder: false,
        isSymlink: false,
        type,
        size,
        modifiedMs: Date.parse(modified),
      })),
  );
}

interface SummaryProps {
  path: VirtualPath;
  name: string;
  duplicates: Duplicates;
  /** Selects all files but one of each group; null if none can be selected. */
  onKeep: ((rule: KeepRule) => void) | null;
}

/** The outcome of the search, and the buttons that select files and search again. */
function Summary({ path, name, duplicates, onKeep }: SummaryProps) {
  const { t } = useTranslation('space');
  const { job, result } = duplicates;
  const hasEnded = job !== null && job !== 'unknown' && !isActive(job);
  const rules: readonly KeepRule[] = ['oldest', 'newest', 'shortest'];
  return (
    <FolderSummary
      heading={t('duplicates.heading', { folder: name })}
      numbers={
        hasEnded &&
        job.state !== 'failed' &&
        result !== null && (
          <p role="status">
            {result.groups.length > 0 &&
              `${t('duplicates.found', {
                ...pluralValues(result.groups.length),
                size: formatSize(reclaimableBytes(result.groups)),
              })} · `}
            {t(job.state === 'cancelled' ? 'duplicates.stoppedAt' : 'asOf', {
              time: formatDate(job.endedAt ?? job.createdAt),
            })}
            {result.unreadable > 0 && ` · ${t('duplicates.unreadable', pluralValues(result.unreadable))}`}
          </p>
        )
      }
      actions={
        <div className={styles.actions}>
          {onKeep && (
            <MenuTrigger>
              <Button endIcon={<ChevronDown />}>{t('duplicates.selectBut')}</Button>
              <Menu placement="bottom end">
                {rules.map((rule) => (
                  <MenuItem key={rule} onAction={() => onKeep(rule)}>
                    {t(`duplicates.keep.${rule}`)}
                  </MenuItem>
                ))}
              </Menu>
            </MenuTrigger>
          )}
          {hasEnded && <StartButton duplicates={duplicates}>{t('duplicates.again')}</StartButton>}
          <Link to={spaceAddress(path)}>{t('title')}</Link>
        </div>
      }
    />
  );
}

function StartButton({
  duplicates,
  isPrimary = false,
  children,
}: {
  duplicates: Duplicates;
  isPrimary?: boolean;
  children: string;
}) {
  const { t } = useTranslation('space');
  const [isStarting, setStarting] = useState(false);
  const start = async (): Promise<void> => {
    setStarting(true);
    try {
      await duplicates.start();
    } catch (error) {
      toastFailure(t('duplicates.notStarted'), error, () => void start());
    } finally {
      setStarting(false);
    }
  };
  return (
    <Button variant={isPrimary ? 'primary' : 'secondary'} isPending={isStarting} onClick={() => void start()}>
      {children}
    </Button>
  );
}

/** The progress of a search, or the reason why no groups are listed. */
function SearchState({ duplicates }: { duplicates: Duplicates }) {
  const { t } = useTranslation('space');
  const { job, result, error, stop, reload } = duplicates;
  if (job === 'unknown') return null;
  if (job === null)
    return (
      <EmptyState
        illustration="folder"
        title={t('duplicates.none.title')}
        actions={
          <StartButton duplicates={duplicates} isPrimary>
            {t('duplicates.start')}
          </StartButton>
        }
      >
        {t('duplicates.none.text')}
      </EmptyState>
    );
  if (isActive(job)) {
    const { entries, bytes } = job;
    const share = progressOf(job);
    const text =
      entries.total === null
        ? t('duplicates.counting')
        : t('duplicates.progress', {
            done: formatNumber(entries.done),
            total: formatNumber(entries.total),
            bytes: formatSize(bytes.done),
            totalBytes: formatSize(bytes.total ?? 0),
          });
    return (
      <div className={styles.progress}>
        <p>{text}</p>
        <ProgressBar label={t('duplicates.running')} value={share ?? 'indeterminate'} valueText={text} />
        <Button onClick={stop}>{t('duplicates.stop')}</Button>
      </div>
    );
  }
  if (error !== null && result === null)
    return <ErrorScreen status={statusOfError(error)} onRetry={() => void reload()} headingLevel={2} />;
  if (job.state === 'failed')
    return (
      <EmptyState illustration="folder" title={t('duplicates.failed.title')}>
        {t(
          job.failures[0]?.code === 'payload_too_large'
            ? 'duplicates.failed.tooLarge'
            : 'duplicates.failed.text',
        )}
      </EmptyState>
    );
  if (result === null || result.groups.length > 0 || job.state === 'cancelled') return null;
  return (
    <EmptyState illustration="folder" title={t('duplicates.empty.title')}>
      {t('duplicates.empty.text')}
    </EmptyState>
  );
}
