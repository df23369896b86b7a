import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Navigate, useLocation, useNavigate, useSearchParams } from '../../ui/navigation/router.tsx';
import { onFilesChange } from '../../features/files/entries/changes.ts';
import { PromptHost } from '../../features/files/prompts/prompt-host.tsx';
import { everything, type TrashFilter } from '../../features/trash/load-trash.ts';
import type { TrashListHandle } from '../../features/trash/list/trash-list.tsx';
import { PurgeDialog } from '../../features/trash/purge/purge-dialog.tsx';
import { ParentDialog } from '../../features/trash/restore/parent-dialog.tsx';
import {
  bindTrashActions,
  isPreviewed,
  readTrashContext,
  trashActions,
  type TrashCommands,
} from '../../features/trash/trash-actions.ts';
import type { TrashHost } from '../../features/trash/trash-host.ts';
import { TrashModel } from '../../features/trash/trash-model.ts';
import type { ParentQuestion, PurgeQuestion, TrashTargets } from '../../features/trash/trash-targets.ts';
import { totalSize } from '../../features/trash/trash-texts.ts';
import { TrashView, useTrashContext } from '../../features/trash/trash-view.tsx';
import { useTrashKeys } from '../../features/trash/use-trash-keys.ts';
import { formatSize, pluralValues } from '../../i18n/format.ts';
import { i18n } from '../../i18n/i18n.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { useAddressText } from '../../ui/hooks/use-address-text.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { EllipsisVertical, Trash2 } from '../../ui/icons.ts';
import { Menu, MenuItem, MenuTrigger } from '../../ui/overlays/menu.tsx';
import { PhoneSelectionTop } from '../../ui/selection/phone-selection-top.tsx';
import { focusCover } from '../files/use-cover.ts';
import { ErrorScreen, statusOfError } from '../frame/error-screen.tsx';
import { FramedError } from '../routes/framed-error.tsx';
import { FrameTitle } from '../frame/frame-title.tsx';
import { Frame } from '../frame/frame.tsx';
import { ListSearchField, PhoneListSearch } from '../resources/list-search.tsx';
import { youAddress } from '../you/you-address.ts';
import type { PaletteCommand } from '../palette/palette-command.ts';
import pageStyles from '../resources/resource-page.module.css';
import { usePageTitle } from '../routes/page-title.ts';
import { trashAddress, trashPlaceOf } from './trash-address.ts';
import { TrashFolderPage } from './trash-folder-page.tsx';
import { detailsOf, previewOfItem, sourceOfItem, TrashPreviewer } from './trash-previewer.tsx';
import { useTrashItem } from './use-trash-item.ts';
import { openedFromList, useTrashHost } from './use-trash-host.ts';

/** The delay after which a typed text is searched, in ms. */
const searchDelayMs = 250;

/** The trash: the list of deleted items, and above it the file or folder that the address names. */
export function TrashPage() {
  const { pathname } = useLocation();
  const host = useTrashHost();
  // Kept while a folder is shown, so that the list is as it was when the user returns.
  const [model] = useState(() => new TrashModel());
  const place = trashPlaceOf(pathname);
  if (place === null) return <FramedError status={404} />;
  const isInFolder = place.id !== null && (place.isFolder || place.path !== '/');
  return (
    <>
      {isInFolder ? (
        <TrashFolderPage key={place.id} place={place} host={host} list={model} />
      ) : (
        <TrashListPage model={model} host={host} previewedId={place.id} />
      )}
      <PromptHost />
    </>
  );
}

interface TrashListPageProps {
  model: TrashModel;
  host: TrashHost;
  /** The file in the previewer. */
  previewedId: string | null;
}

function TrashListPage({ model, host, previewedId }: TrashListPageProps) {
  const { t } = useTranslation('trash');
  const list = useRef<TrashListHandle>(null);
  const search = useRef<HTMLInputElement>(null);
  const [purging, setPurging] = useState<PurgeQuestion | null>(null);
  const [parent, setParent] = useState<ParentQuestion | null>(null);
  const { filter, setFilter } = useFilter(model);
  const context = useTrashContext(model, host);
  const showBelow = (folder: VirtualPath) => setFilter({ ...everything, below: folder });
  const commands = useCommands({ model, host, search, setPurging, setParent, showBelow });
  const isCovered = previewedId !== null;
  useTrashKeys({ model, host, commands, list, isEnabled: !isCovered });
  useEffect(() => onFilesChange(() => void model.reload()), [model]);
  useEffect(() => () => model.stop(), [model]);
  usePageTitle(t('title'));
  const regainFocus = useCallback(() => {
    if (!focusCover()) list.current?.focus();
  }, []);
  const searchField = (
    <SearchField ref={search} query={filter.query} onQuery={(query) => setFilter({ ...filter, query })} />
  );
  const canEmpty = host.user.perm.purge && context.total > 0;
  return (
    <>
      <Frame
        header={<FrameTitle>{t('title')}</FrameTitle>}
        actions={
          <div className={pageStyles.actions}>
            {searchField}
            {canEmpty && (
              <Button icon={<Trash2 />} className={pageStyles.dangerous} onClick={commands.empty}>
                {t('actions.empty')}
              </Button>
            )}
          </div>
        }
        phone={{
          title: t('title'),
          back: { name: t('frame.you', { ns: 'app' }), to: youAddress },
          actions: canEmpty && (
            <MenuTrigger>
              <IconButton label={t('moreActions')} icon={<EllipsisVertical />} hasTooltip={false} />
              <Menu placement="bottom end">
                <MenuItem icon={<Trash2 />} tone="danger" onAction={commands.empty}>
                  {t('actions.empty')}
                </MenuItem>
              </Menu>
            </MenuTrigger>
          ),
          ...(context.count > 0 && {
            topBar: (
              <PhoneSelectionTop
                title={t('selected', pluralValues(context.count))}
                note={selectedSize(model)}
                clearLabel={t('actions.clearSelection')}
                onClear={commands.clearSelection}
                selectAllLabel={t('actions.selectAll')}
                onSelectAll={commands.selectAll}
              />
            ),
          }),
        }}
        usagePath={rootPath}
        commands={() => paletteCommands(model, host, commands)}
        isCovered={isCovered}
        regainFocus={model.phase === 'failed' ? undefined : regainFocus}
      >
        {host.isPhone && <PhoneListSearch>{searchField}</PhoneListSearch>}
        {model.phase === 'failed' ? (
          <ErrorScreen
            status={statusOfError(model.error)}
            onRetry={() => void model.reload()}
            headingLevel={2}
          />
        ) : (
          <TrashView
            model={model}
            host={host}
            commands={commands}
            filter={filter}
            onFilter={setFilter}
            listRef={list}
          />
        )}
      </Frame>
      {previewedId !== null && <PreviewedItem id={previewedId} model={model} host={host} list={list} />}
      <PurgeDialog question={purging} model={model} host={host} onClose={() => setPurging(null)} />
      <ParentDialog question={parent} targets={{ model, host }} onClose={() => setParent(null)} />
    </>
  );
}

/** The size of the selected items; undefined if it is 0 or unknown. */
function selectedSize(model: TrashModel): string | undefined {
  const { bytes } = totalSize(model.selectedItems());
  return bytes > 0 ? formatSize(bytes) : undefined;
}

interface CommandParts {
  model: TrashModel;
  host: TrashHost;
  search: RefObject<HTMLInputElement | null>;
  setPurging: (question: PurgeQuestion) => void;
  setParent: (question: ParentQuestion) => void;
  showBelow: (folder: VirtualPath) => void;
}

/** The current targets of commands, which may be called long after they were created. */
class LatestTargets {
  #parts: CommandParts;

  constructor(parts: CommandParts) {
    this.#parts = parts;
  }

  update(parts: CommandParts): void {
    this.#parts = parts;
  }

  readonly targets = (): TrashTargets => {
    const { model, host, search, setPurging, setParent, showBelow } = this.#parts;
    const focusSearch = () => search.current?.focus();
    return { model, host, askPurge: setPurging, askParent: setParent, focusSearch, showBelow };
  };
}

/** Returns the actions of the trash, which are stable and use the latest state. */
function useCommands(parts: CommandParts): TrashCommands {
  const [latest] = useState(() => new LatestTargets(parts));
  useEffect(() => latest.update(parts));
  return useMemo(() => bindTrashActions(latest.targets), [latest]);
}

/** Returns the filter in the address, and shows its list. */
function useFilter(model: TrashModel): { filter: TrashFilter; setFilter: (filter: TrashFilter) => void } {
  const [parameters, setParameters] = useSearchParams();
  const isMine = parameters.get('by') === 'me';
  const query = parameters.get('q') ?? '';
  const below = parameters.get('below') ?? '';
  useEffect(() => void model.show({ isMine, query, below }), [model, isMine, query, below]);
  return {
    filter: { isMine, query, below },
    setFilter: (next) =>
      setParameters(
        {
          ...(next.isMine && { by: 'me' }),
          ...(next.query !== '' && { q: next.query }),
          ...(next.below !== '' && { below: next.below }),
        },
        { replace: true },
      ),
  };
}

interface SearchFieldProps {
  ref: RefObject<HTMLInputElement | null>;
  query: string;
  onQuery: (query: string) => void;
}

/** The field that finds items by name; Escape empties it and returns to the list. */
function SearchField({ ref, query, onQuery }: SearchFieldProps) {
  const { t } = useTranslation('trash');
  const [text, setText] = useAddressText(query, onQuery, searchDelayMs);
  return (
    <ListSearchField
      ref={ref}
      label={t('search')}
      value={text}
      onChange={setText}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        setText('');
        if (text === '') event.currentTarget.blur();
      }}
    />
  );
}

/** Returns the available actions for the palette. */
function paletteCommands(model: TrashModel, host: TrashHost, commands: TrashCommands): PaletteCommand[] {
  const context = readTrashContext(model, host);
  return trashActions
    .filter((action) => action.isOffered(context))
    .map(({ id, keys }) => ({
      id,
      label: i18n.t(`actions.${id}`, { ns: 'trash' }),
      group: i18n.t('title', { ns: 'trash' }),
      shortcut: keys[0],
      run: commands[id],
    }));
}

interface PreviewedItemProps {
  id: string;
  model: TrashModel;
  host: TrashHost;
  list: RefObject<TrashListHandle | null>;
}

/** The previewer of a deleted file, with the other deleted files as its neighbors. */
function PreviewedItem({ id, model, host, list }: PreviewedItemProps) {
  const navigate = useNavigate();
  const { state } = useLocation() as { state: typeof openedFromList | null };
  const loaded = useTrashItem(id, model);
  if (loaded.kind === 'failed' || (loaded.kind === 'known' && !isPreviewed(loaded.item))) {
    const isFolder = loaded.kind === 'known' && loaded.item.isDir;
    return <Navigate to={isFolder ? trashAddress(id, true) : '/trash'} replace />;
  }
  if (loaded.kind === 'loading') return null;
  const close = () => {
    if (model.item(id)) model.selectOnly(id);
    if (state?.isFromList) void navigate(-1);
    else void navigate('/trash', { replace: true });
    setTimeout(() => list.current?.focus());
  };
  return (
    <TrashPreviewer
      entry={previewOfItem(loaded.item)}
      siblings={model.items.filter(isPreviewed).map(previewOfItem)}
      sourceOf={sourceOfItem}
      canDownload={host.user.perm.download}
      details={detailsOf(loaded.item, host)}
      onNavigate={(path) =>
        void navigate(trashAddress(sourceOfItem(path).id, false), { replace: true, state })
      }
      onClose={close}
    />
  );
}
