import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useMemo, useRef, type ReactNode, type RefObject } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Navigate } from '../../../ui/navigation/router.tsx';
import { formatNumber } from '../../../i18n/format.ts';
import { useDelayedFlag } from '../../../ui/hooks/use-delayed-flag.ts';
import { useLostFocus } from '../../../ui/hooks/use-lost-focus.ts';
import type { PublicEntry } from './open-public.ts';
import { PublicBox } from './public-box.tsx';
import { PublicCrumbs } from './public-crumbs.tsx';
import { PublicFailure } from './public-failure.tsx';
import { PublicHeader } from './public-header.tsx';
import { PublicItems } from './public-items.tsx';
import styles from './public-page.module.css';
import { PublicPassword } from './public-password.tsx';
import { previewedFile, type PreviewedOver, type PublicPreviews } from './public-previews.ts';
import { PublicStage } from './public-stage.tsx';
import { usePublicSelection, type PublicSelection } from './public-selection.ts';
import { publicAddress, type PublicLocation } from '../share-address.ts';
import { nameOfEntry } from '../share-texts.ts';
import { usePublicShare } from './use-public-share.ts';

interface PublicPageProps {
  location: PublicLocation;
  /** The page behind the previewer while the file at `location` is open in it; null otherwise. */
  over: PreviewedOver | null;
  previews: PublicPreviews;
  /** The end of the header: further actions of visitors and users. */
  menu: ReactNode;
  /** Called with the name of the current entry, empty while there is none. Must be stable between renders. */
  onName: (name: string) => void;
}

/** The page of a share (docs/reference/behaviour.md §2). */
export function PublicPage({ location, over, previews, menu, onName }: PublicPageProps) {
  const { t } = useTranslation('shares');
  const { hash } = location;
  const path = over === 'folder' ? parentOf(location.path) : location.path;
  const { state, unlock, retry } = usePublicShare(hash, path);
  const selection = usePublicSelection(`${hash} ${path}`);
  const isSlow = useDelayedFlag(state.kind === 'loading');
  const entry = state.kind === 'shown' ? state.entry : null;
  const previewed = useMemo(
    () => entry && over && previewedFile(entry, location.path, over),
    [entry, over, location.path],
  );
  const name = entry === null ? '' : (previewed?.file.name ?? nameOfEntry(entry));
  useEffect(() => onName(name), [name, onName]);
  const heading = useRef<HTMLHeadingElement>(null);
  const previousEntry = useRef<PublicEntry | null>(null);
  useEffect(() => {
    if (entry === null) return;
    // After a link was activated, the focus moves to the heading of its target.
    if (previousEntry.current !== null && document.activeElement === document.body) heading.current?.focus();
    previousEntry.current = entry;
  }, [entry]);
  const main = useRef<HTMLElement>(null);
  useLostFocus(() => {
    const cover = document.querySelector<HTMLElement>('[data-cover]');
    (cover ?? heading.current ?? main.current)?.focus({ preventScroll: true });
  });
  return (
    <div className={styles.page} inert={over !== null && previewed !== null}>
      <PublicHeader entry={entry} selection={selection} menu={menu} />
      <main ref={main} className={styles.main} tabIndex={-1}>
        {state.kind === 'loading' && isSlow && (
          <p role="status" className={styles.loading}>
            {t('loading', { ns: 'common' })}
          </p>
        )}
        {state.kind === 'locked' && (
          <PublicPassword refusal={state.refusal} isPending={state.isPending} onSubmit={unlock} />
        )}
        {state.kind === 'failed' && <PublicFailure error={state.error} onRetry={retry} />}
        {entry && (
          <ShownEntry
            entry={entry}
            previews={previews}
            previewedPath={previewed?.file.path ?? null}
            selection={selection}
            headingRef={heading}
          />
        )}
      </main>
      <Announcement entry={entry} />
      {previewed && previews.render(previewed)}
      {/* It may have been removed meanwhile; its own page reports that. */}
      {entry && over && !previewed && <Navigate to={publicAddress(location, false)} replace />}
    </div>
  );
}

interface ShownEntryProps {
  entry: PublicEntry;
  previews: PublicPreviews;
  /** The path of the file in the previewer, above this page. */
  previewedPath: VirtualPath | null;
  selection: PublicSelection;
  headingRef: RefObject<HTMLHeadingElement | null>;
}

function ShownEntry({ entry, previews, previewedPath, selection, headingRef }: ShownEntryProps) {
  const canPreview = !entry.isFolder && previews.canPreview(entry);
  return (
    <>
      <PublicCrumbs entry={entry} />
      {!entry.isFolder && <PublicStage key={entry.path} entry={entry} canPreview={canPreview} />}
      <PublicBox entry={entry} canPreview={canPreview} headingRef={headingRef} />
      {entry.isFolder && (
        <PublicItems key={entry.path} entry={entry} previewedPath={previewedPath} selection={selection} />
      )}
    </>
  );
}

/** Announces the opened entry to screen readers. */
function Announcement({ entry }: { entry: PublicEntry | null }) {
  const { t } = useTranslation('shares');
  const count = entry?.items.length ?? 0;
  const name = entry === null ? '' : nameOfEntry(entry);
  const text = entry?.isFolder
    ? t('public.opened', { count, number: formatNumber(count), name: isolateBidi(name) })
    : name;
  return (
    <div role="status" className="visually-hidden">
      {text}
    </div>
  );
}
