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
import { generateEntries } from './generate-entries.ts';
import styles from './probe.module.css';

/** What the browser tests and the bench reach from outside. */
interface Probe {
  readonly model: ListingModel;
  handle: ListingHandle | null;
  /** What the listing has asked its owner for, oldest first. */
  readonly calls: { readonly kind: string; readonly [detail: string]: unknown }[];
  setView: (view: ViewMode) => void;
  /** Loads the same folder again. */
  reload: () => void;
  /** Gives up the rows as they came over the wire. */
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
// The language sets a direction as well.
await showLocale('en', []);
document.documentElement.dir = query.get('dir') ?? 'ltr';
const theme = query.get('theme');
if (theme !== null) document.documentElement.dataset['theme'] = theme;

const { numDirs, numFiles, ...generated } = generateEntries(count);
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
const note = (kind: string, details: Record<string, unknown> = {}): void => {
  window.probe.calls.push({ kind, ...details });
};

/** A picture made on the spot, so that tiles can be seen without a server. */
function pictureOf(name: string): string {
  const hue = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240"><linearGradient id="g" x2="0" y2="1"><stop stop-color="hsl(${hue} 60% 72%)"/><stop offset="1" stop-color="hsl(${(hue + 40) % 360} 45% 45%)"/></linearGradient><path fill="url(#g)" d="M0 0h320v240H0Z"/><circle cx="238" cy="64" r="26" fill="#fff" opacity=".8"/><path fill="hsl(${(hue + 80) % 360} 35% 30%)" d="m0 240 96-120 60 70 52-52 112 102Z"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

function keepHandle(handle: ListingHandle | null): void {
  window.probe.handle = handle;
}

function ProbePage() {
  const [shown, setShown] = useState<ViewMode>(view);
  const [sorting, setSorting] = useState<Sorting>({ by: 'name', asc: false });
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
        thumbnailUrl={flag('thumbnails') ? pictureOf : undefined}
        onSort={(next) => {
          note('sort', next);
          setSorting(next);
        }}
        onOpen={(id) => note('open', { name: model.name(id) })}
        onContextMenu={(id, at) => note('menu', { name: id === null ? null : model.name(id), ...at })}
        onDragStart={() => note('dragStart', { names: model.selectedIds().map((id) => model.name(id)) })}
        onMove={({ targetId, copy }) =>
          note('move', { target: targetId === null ? null : model.name(targetId), copy })
        }
        onDropFiles={(targetId, data) =>
          note('dropFiles', {
            target: targetId === null ? null : model.name(targetId),
            names: Array.from(data.files, (file) => file.name),
          })
        }
        onRename={(id, newName) => {
          note('rename', { from: model.name(id), to: newName });
          model.rename(id, newName);
        }}
        checkName={(_, newName) => (newName.includes('/') ? 'A name cannot contain a slash.' : null)}
        emptyState={<EmptyState title="It feels lonely here..." />}
        handleRef={keepHandle}
      />
    </main>
  );
}

const place = document.getElementById('root');
if (place === null) throw new Error('the page has no place for the listing');
if (!flag('loading')) load();
createRoot(place).render(<ProbePage />);
