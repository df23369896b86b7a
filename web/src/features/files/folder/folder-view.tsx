import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { lazyPart, useLazyPart } from '../../../ui/overlays/lazy-part.ts';
import { setDetailsOpen, useDetails } from '../details/details-state.ts';
import { hasVersions, isShareable } from '../actions/conditions.ts';
import { preloadChanges } from '../actions/lazy-changes.ts';
import { FolderFooter } from './folder-footer.tsx';
import type { FolderSession } from './folder-session.ts';
import styles from './folder-view.module.css';
import { SourceNote } from '../live/source-note.tsx';
import { preloadPrompts } from '../prompts/prompt-host.tsx';
import { pluralValues } from '../../../i18n/format.ts';
import { folderName } from '../../../i18n/folder-name.ts';
import { useFolderKeys } from './use-folder-keys.ts';
import type { FolderScreen } from './use-folder-screen.ts';
import { useFolderStatus } from './use-folder-session.ts';
import { useReveal } from './use-reveal.ts';
import { PhoneListHead } from '../header/phone-bars.tsx';
import { useSelectedBytes } from '../actions/use-action-context.ts';
import { FolderListing } from './folder-listing.tsx';
import type { ScatteredParts } from './scattered-parts.ts';

/** The delay before dialogs and changes are preloaded, in ms, so that the first one opens or begins at once. */
const preloadAfterMs = 2000;

const selectionPart = lazyPart(() => import('../header/selection-bar.tsx'));
const detailsPart = lazyPart(() => import('../details/details-panel.tsx'));

interface FolderViewProps {
  screen: FolderScreen;
  /** Whether something covers the folder, so that its keys are disabled. */
  isCovered: boolean;
  /** Renders a replacement for a folder that cannot be loaded. */
  renderFailure: (error: unknown, retry: () => void) => ReactNode;
  /** The parts that are different where entries of several folders are listed, such as the results of a search. */
  scattered?: ScatteredParts | undefined;
}

/** Shows a folder: listing, bars, menus and details. */
export function FolderView({ screen, isCovered, renderFailure, scattered }: FolderViewProps) {
  const { session, host, context, commands, listing } = screen;
  const status = useFolderStatus(session);
  const bytes = useSelectedBytes(session);
  useFolderKeys(screen, !isCovered, status.kind === 'shown' || status.kind === 'truncated');
  useReveal(session, listing);
  useEffect(() => {
    const timer = setTimeout(() => {
      preloadPrompts();
      preloadChanges();
      selectionPart.load().catch(() => undefined);
    }, preloadAfterMs);
    return () => clearTimeout(timer);
  }, []);
  useListingFocus(screen, isCovered);
  const selectionBar = useLazyPart(selectionPart, context.count > 0, commands.clearSelection);
  // The covering screen reports the failure itself.
  if (status.kind === 'failed')
    return isCovered ? null : renderFailure(status.error, () => void session.reload());
  return (
    <div className={styles.view} data-selected={context.count > 0 || undefined}>
      {scattered?.top}
      {status.kind === 'truncated' && <TruncatedBanner onRetry={commands.reload} />}
      {context.isSelecting && context.count === 0 && <SelectingBanner onStop={commands.clearSelection} />}
      {host.isPhone && !scattered && <PhoneListHead screen={screen} />}
      {scattered?.instead ?? <FolderListing screen={screen} scattered={scattered} />}
      {scattered?.below}
      <SourceNote session={session} />
      {scattered && !host.isPhone && context.count === 0 && scattered.footer}
      {!scattered && !host.isPhone && (
        <FolderFooter
          model={session.model}
          filterRef={screen.filter}
          isCovered={context.count > 0}
          onLeave={() => listing.current?.focus()}
        />
      )}
      {selectionBar && context.count > 0 ? (
        <selectionBar.SelectionBar context={context} bytes={bytes} commands={commands} />
      ) : (
        context.count > 0 && !host.isPhone && <div className={styles.barSpace} />
      )}
      {!scattered && <Announcement screen={screen} />}
    </div>
  );
}

/**
 * Focuses the listing after a folder was opened or a file closed, unless something else has the focus, or a phone shows its first
 * page.
 */
function useListingFocus({ session, listing, host }: FolderScreen, isCovered: boolean): void {
  const { model } = session;
  const { isPhone } = host;
  const hasRows = useSyncExternalStore(model.subscribe, () => model.phase !== 'loading' && model.count > 0);
  const last = useRef({ session, isCovered });
  useEffect(() => {
    const previous = last.current;
    const wasClosed = previous.isCovered && !isCovered;
    if (!hasRows || isCovered || (previous.session === session && !wasClosed)) {
      if (isCovered) last.current = { ...previous, isCovered };
      return undefined;
    }
    // A covering screen returns its focus first.
    const timer = setTimeout(() => {
      last.current = { session, isCovered };
      const { activeElement } = document;
      const isFree = activeElement === document.body || activeElement?.closest('[data-id]') != null;
      // Before anything was pressed, the browser takes the focus for that of a keyboard and shows its ring.
      const isUntouched = isPhone && !navigator.userActivation?.hasBeenActive;
      if (isFree && !isUntouched) listing.current?.focus();
    });
    return () => clearTimeout(timer);
  }, [session, hasRows, isCovered, isPhone, listing]);
}

/** Announces the opened folder to screen readers once it is loaded. */
function Announcement({ screen: { session } }: { screen: FolderScreen }) {
  const { t } = useTranslation('files');
  const { model, path } = session;
  const isReady = useSyncExternalStore(model.subscribe, () => model.phase === 'ready');
  const [announcement, setAnnouncement] = useState<{ session: FolderSession; text: string } | null>(null);
  if (isReady && announcement?.session !== session) {
    setAnnouncement({
      session,
      text: t('folderLoaded', { ...pluralValues(model.count), folder: folderName(path) }),
    });
  }
  return (
    <div role="status" className="visually-hidden">
      {announcement?.session === session && announcement.text}
    </div>
  );
}

function SelectingBanner({ onStop }: { onStop: () => void }) {
  const { t } = useTranslation('files');
  return <Banner text={t('multipleSelectionEnabled')} label={t('stopSelecting')} onAction={onStop} />;
}

function TruncatedBanner({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('files');
  return (
    <Banner
      tone="warning"
      text={t('listingCutShort')}
      label={t('retry', { ns: 'common' })}
      onAction={onRetry}
    />
  );
}

/** Shows the details panel, loaded on demand: a column on the desktop, a dialog on phones. */
export function FolderDetails({ screen }: { screen: FolderScreen }) {
  const { session, host, context, commands } = screen;
  const { isOpen } = useDetails();
  const part = useLazyPart(detailsPart, isOpen, () => setDetailsOpen(false));
  if (!part) return isOpen && !host.isPhone && <div className={styles.detailsSpace} data-details="" />;
  return (
    <part.DetailsPanel
      session={session}
      canDownload={host.user.perm.download}
      onShare={isShareable(context) ? commands.share : undefined}
      onVersions={hasVersions(context) ? commands.versions : undefined}
      onFavorite={commands.favorite}
      onTags={commands.tags}
      canRename={host.user.perm.rename}
      isOpen={isOpen}
      isPhone={host.isPhone}
      host={host}
    />
  );
}
