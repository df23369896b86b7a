import {
  joinPaths,
  nameOf,
  parentOf,
  type RequestedPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { useRef } from 'react';
import { Link, useLocation, useNavigate } from '../../ui/navigation/router.tsx';
import { FolderCrumbs } from '../../features/files/header/folder-crumbs.tsx';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import type { MapNode } from '../../features/space/map-tree.ts';
import { SpaceMap } from '../../features/space/space-map.tsx';
import { SpaceTable } from '../../features/space/space-table.tsx';
import { useSpaceMap } from '../../features/space/use-space-map.ts';
import { displayName } from '../../i18n/display-name.ts';
import { formatDate, formatSize, pluralValues } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { useDelayedFlag } from '../../ui/hooks/use-delayed-flag.ts';
import { FramedError } from '../routes/framed-error.tsx';
import { ErrorScreen, statusOfError } from '../frame/error-screen.tsx';
import { Frame } from '../frame/frame.tsx';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { duplicatesAddress, spaceAddress, spacePathOf } from '../routes/file-address.ts';
import { usePageTitle } from '../routes/page-title.ts';
import { emptySearch, searchAddress } from '../search/search-address.ts';
import { FolderSummary } from './folder-summary.tsx';
import styles from './space-page.module.css';

/** The page that shows what fills a folder. */
export function SpacePage() {
  const { pathname } = useLocation();
  const requested = spacePathOf(pathname);
  return requested === null ? <FramedError status={404} /> : <Space requested={requested} />;
}

function Space({ requested: { path } }: { requested: RequestedPath }) {
  const { t } = useTranslation(['space', 'app']);
  const navigate = useNavigate();
  const { state, reload } = useSpaceMap(path);
  const content = useRef<HTMLDivElement>(null);
  const name = displayName(nameOf(path)) || t('app:frame.myFiles');
  usePageTitle(nameOf(path), t('title'));
  const open = ({ path: below, kind }: MapNode) => {
    const opened = joinPaths(path, `/${below}` as VirtualPath);
    if (kind === 'folder') void navigate(spaceAddress(opened));
    else void navigate(fileAddress(parentOf(opened), true), { state: { reveal: nameOf(opened) } });
  };
  return (
    <Frame
      header={
        <FolderCrumbs
          path={path}
          addressOf={spaceAddress}
          drop={{ can: { rename: false, create: false }, onDrop: () => undefined }}
          onOpen={(folder) => void navigate(spaceAddress(folder))}
        />
      }
      phone={{
        title: name,
        back:
          path === '/'
            ? { name: t('app:frame.myFiles'), to: fileAddress(path, true) }
            : { name: nameOf(parentOf(path)) || t('app:frame.myFiles'), to: spaceAddress(parentOf(path)) },
      }}
      usagePath={path}
      folder={path}
      regainFocus={() => content.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()}
    >
      <div className={styles.page} ref={content}>
        <Summary path={path} name={name} state={state} />
        {state.kind === 'shown' && state.root.children.length > 0 && (
          // Another folder has its own state.
          <div className={styles.content} key={path}>
            <SpaceMap root={state.root} onOpen={open} />
            <SpaceTable root={state.root} name={name} onOpen={open} />
          </div>
        )}
        {state.kind === 'failed' && (
          <ErrorScreen status={statusOfError(state.error)} onRetry={reload} headingLevel={2} />
        )}
        <Absent state={state} />
      </div>
    </Frame>
  );
}

interface SummaryProps {
  path: VirtualPath;
  name: string;
  state: ReturnType<typeof useSpaceMap>['state'];
}

/** The size of the folder, and links to its largest and oldest files, which are listed as results of a search. */
function Summary({ path, name, state }: SummaryProps) {
  const { t } = useTranslation('space');
  const { perm } = useCurrentUser();
  const files = { ...emptySearch, from: path, isHere: path !== '/', kind: 'file' } as const;
  return (
    <FolderSummary
      heading={t('fills', { folder: name })}
      numbers={
        state.kind === 'shown' && (
          <p>
            {t('total', { size: formatSize(state.root.bytes), ...pluralValues(state.root.files) })}
            {state.checkedAtMs !== null && ` · ${t('asOf', { time: formatDate(state.checkedAtMs) })}`}
          </p>
        )
      }
      actions={
        <nav className={styles.links} aria-label={t('lists')}>
          <Link to={searchAddress({ ...files, sort: 'size' })}>{t('largest')}</Link>
          <Link to={searchAddress({ ...files, sort: 'modified', isReversed: true })}>{t('oldest')}</Link>
          {perm.download && <Link to={duplicatesAddress(path)}>{t('duplicates.title')}</Link>}
          <Link to={fileAddress(path, true)}>{t('openFolder')}</Link>
        </nav>
      }
    />
  );
}

/** The reason why there is no map. */
function Absent({ state }: Pick<SummaryProps, 'state'>) {
  const { t } = useTranslation('space');
  const isWaiting = useDelayedFlag(state.kind === 'loading');
  if (state.kind === 'loading') return isWaiting ? <p className={styles.waiting}>{t('loading')}</p> : null;
  if (state.kind === 'failed' || (state.kind === 'shown' && state.root.children.length > 0)) return null;
  return (
    <div className={styles.absent} role="status">
      <EmptyState illustration="folder" title={t(`absent.${state.kind}.title`)}>
        {t(`absent.${state.kind}.text`)}
      </EmptyState>
    </div>
  );
}
