import { type ListingHeader, entryTypes } from '@filestead/contract/files';
import type { Sorting, ViewMode } from '@filestead/contract/users';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '../../../../styles/index.css';
import { EmptyState } from '../../../../ui/feedback/empty-state.tsx';
import { showLocale } from '../../../../i18n/i18n.ts';
import { Listing } from '../listing.tsx';
import { ListingModel } from '../model/listing-model.ts';
import type { ListingHandle } from '../listing-options.ts';
import { generateEntries, generatePhotos } from './generate-entries.ts';
import type { LoadMedia } from '../photos/photo-view.ts';
import styles from './probe.module.css';

/** The interface of this page for browser tests and benchmarks. */
interface Probe {
  readonly model: ListingModel;
  handle: ListingHandle | null;
  /** The calls of the listing's callbacks, the oldest first. */
  readonly calls: { readonly kind: string; readonly [detail: string]: unknown }[];
  setView: (view: ViewMode) => void;
  /** Loads the same folder again. */
  reload: () => void;
  /** Releases the rows as they were received. */
  forget: () => void;
  nextFrame: () => Promise<number>;
}
declare global {
  interface Window {
    probe: Probe;
  }
}

const query = new URLSearchParams(location.search);
const flag = (name: string): boolean => query.get(name) === '1';
const count = Number(query.get('count') ?? 1000);
const view = (query.get('view') ?? 'list') as ViewMode;
// Set after the language, which sets a direction too.
await showLocale('en', []);
document.documentElement.dir = query.get('dir') ?? 'ltr';
const theme = query.get('theme');
if (theme !== null) document.documentElement.dataset['theme'] = theme;

const { numDirs, numFiles, ...generated } = (flag('photos') ? generatePhotos : generateEntries)(count);
let { rows } = generated;
const header: ListingHeader = {
  path: '/probe/',
  name: 'probe',
  modified: '2026-11-20T10:00:00Z',
  numDirs,
  numFiles,
  sorting: { by: 'name', asc: false },
  types: entryTypes,
};
const model = new ListingModel();
const load = (): void => {
  model.open(header);
  model.append(rows);
  model.end();
};
window.probe = {
  model,
  handle: null,
  calls: [],
  setView: () => undefined,
  reload: load,
  forget: () => {
    rows = [];
    generated.rows = rows;
  },
  nextFrame: () => new Promise((resolve) => requestAnimationFrame(resolve)),
};
const record = (kind: string, details: Record<string, unknown> = {}): void => {
  window.probe.calls.push({ kind, ...details });
};

/** Generates a picture, so that tiles can be shown without a server. */
function generatePicture(name: string): string {
  const hue = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240"><linearGradient id="g" x2="0" y2="1"><stop stop-color="hsl(${hue} 60% 72%)"/><stop offset="1" stop-color="hsl(${(hue + 40) % 360} 45% 45%)"/></linearGradient><path fill="url(#g)" d="M0 0h320v240H0Z"/><circle cx="238" cy="64" r="26" fill="#fff" opacity=".8"/><path fill="hsl(${(hue + 80) % 360} 35% 30%)" d="m0 240 96-120 60 70 52-52 112 102Z"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

const sizes = [
  { width: 4032, height: 3024 },
  { width: 3024, height: 4032 },
  { width: 1920, height: 1080 },
  { width: 2000, height: 2000 },
];

/** Returns sizes of photos without a server. */
const generateSizes: LoadMedia = async (names) =>
  names.map((name) => sizes[(name.codePointAt(name.length - 5) ?? 0) % sizes.length] ?? null);

function setHandle(handle: ListingHandle | null): void {
  window.probe.handle = handle;
}

function ProbePage() {
  const [shown, setShown] = useState<ViewMode>(view);
  const [sorting, setSorting] = useState<Sorting>({
    by: flag('photos') ? 'modified' : 'name',
    asc: false,
  });
  useEffect(() => {
    window.probe.setView = setShown;
  }, []);
  return (
    <main className={styles.page}>
      <h1 className="visually-hidden">Listing</h1>
      <Listing
        model={model}
        view={shown}
        sorting={sorting}
        isExactDate={flag('exact')}
        singleClick={flag('singleClick')}
        can={{ rename: !flag('readOnly'), create: !flag('readOnly') }}
        folderName="Lisbon"
        thumbnailUrl={flag('thumbnails') ? generatePicture : undefined}
        loadMedia={flag('photos') ? generateSizes : undefined}
        onSort={(next) => {
          record('sort', next);
          setSorting(next);
        }}
        onOpen={(id) => record('open', { name: model.name(id) })}
        onContextMenu={(id, at) => record('menu', { name: id === null ? null : model.name(id), ...at })}
        onDragStart={() => record('dragStart', { names: model.selectedIds().map((id) => model.name(id)) })}
        onMove={({ targetId, copy }) =>
          record('move', { target: targetId === null ? null : model.name(targetId), copy })
        }
        onDropFiles={(targetId, data) =>
          record('dropFiles', {
            target: targetId === null ? null : model.name(targetId),
            names: Array.from(data.files, (file) => file.name),
          })
        }
        onRename={(id, newName) => {
          record('rename', { from: model.name(id), to: newName });
          model.rename(id, newName);
        }}
        checkName={(_, newName) => (newName.includes('/') ? 'A name cannot contain a slash.' : null)}
        emptyState={<EmptyState title="It feels lonely here..." />}
        handleRef={setHandle}
      />
    </main>
  );
}

const place = document.getElementById('root');
if (place === null) throw new Error('The page has no root element.');
if (!flag('loading')) load();
createRoot(place).render(<ProbePage />);
