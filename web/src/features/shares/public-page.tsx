import { isolated } from '../../i18n/isolated.ts';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../i18n/format.ts';
import { useDelayedFlag } from '../../ui/use-delayed-flag.ts';
import type { PublicEntry } from './open-public.ts';
import { PublicBox } from './public-box.tsx';
import { PublicCrumbs } from './public-crumbs.tsx';
import { PublicFailure } from './public-failure.tsx';
import { PublicHeader } from './public-header.tsx';
import { PublicItems } from './public-items.tsx';
import styles from './public-page.module.css';
import { PublicPassword } from './public-password.tsx';
import { PublicStage } from './public-stage.tsx';
import { usePublicSelection, type PublicSelection } from './public-selection.ts';
import type { PublicPlace } from './share-address.ts';
import { nameOfEntry } from './share-texts.ts';
import { usePublicShare } from './use-public-share.ts';

interface PublicPageProps {
  place: PublicPlace;
  /** The end of the header: what visitors and users can do besides. */
  menu: ReactNode;
  /** Told the name of what is shown, empty while there is none. Stable between renders. */
  onName: (name: string) => void;
}

/** What a visitor of a public link sees (product specification §2). */
export function PublicPage({ place, menu, onName }: PublicPageProps) {
  const { t } = useTranslation('shares');
  const { state, unlock, retry } = usePublicShare(place.hash, place.path);
  const selection = usePublicSelection(`${place.hash} ${place.path}`);
  const isSlow = useDelayedFlag(state.kind === 'loading');
  const entry = state.kind === 'shown' ? state.entry : null;
  const name = entry === null ? '' : nameOfEntry(entry);
  useEffect(() => onName(name), [name, onName]);
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef<PublicEntry | null>(null);
  useEffect(() => {
    if (entry === null) return;
    // Whoever pressed a link goes on reading where it led to.
    if (before.current !== null && document.activeElement === document.body) heading.current?.focus();
    before.current = entry;
  }, [entry]);
  return (
    <div className={styles.page}>
      <PublicHeader entry={entry} selection={selection} menu={menu} />
      <main className={styles.main}>
        {state.kind === 'loading' && isSlow && (
          <p role="status" className={styles.loading}>
            {t('loading', { ns: 'common' })}
          </p>
        )}
        {state.kind === 'locked' && (
          <PublicPassword refusal={state.refusal} isPending={state.isPending} onSubmit={unlock} />
        )}
        {state.kind === 'failed' && <PublicFailure error={state.error} onRetry={retry} />}
        {entry && <Shown entry={entry} selection={selection} headingRef={heading} />}
      </main>
      <Announcement entry={entry} />
    </div>
  );
}

interface ShownProps {
  entry: PublicEntry;
  selection: PublicSelection;
  headingRef: RefObject<HTMLHeadingElement | null>;
}

function Shown({ entry, selection, headingRef }: ShownProps) {
  return (
    <>
      <PublicCrumbs entry={entry} />
      {!entry.isFolder && <PublicStage key={entry.path} entry={entry} />}
      <PublicBox entry={entry} headingRef={headingRef} />
      {entry.isFolder && <PublicItems key={entry.path} entry={entry} selection={selection} />}
    </>
  );
}

/** Says aloud what has been opened. */
function Announcement({ entry }: { entry: PublicEntry | null }) {
  const { t } = useTranslation('shares');
  const count = entry?.items.length ?? 0;
  const name = entry === null ? '' : nameOfEntry(entry);
  const text = entry?.isFolder
    ? t('public.opened', { count, number: formatNumber(count), name: isolated(name) })
    : name;
  return (
    <div role="status" className="visually-hidden">
      {text}
    </div>
  );
}
