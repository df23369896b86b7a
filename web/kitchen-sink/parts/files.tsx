import { entryTypes, type ListingRow } from '@filestead/contract/files';
import type { ViewMode } from '@filestead/contract/users';
import { useState } from 'react';
import { Listing } from '../../src/features/files/listing/listing.tsx';
import { ListingModel } from '../../src/features/files/listing/model/listing-model.ts';
import { EntryMarks } from '../../src/features/marks/entry-marks.tsx';
import { Copy, Download, PencilLine, Share2, Trash2 } from '../../src/ui/icons.ts';
import { FileIcon, fileIconKinds } from '../../src/ui/names/file-icon.tsx';
import { LongName } from '../../src/ui/names/long-name.tsx';
import { Pocket } from '../../src/ui/names/pocket.tsx';
import { SelectionBar } from '../../src/ui/selection/selection-bar.tsx';
import styles from '../kitchen-sink.module.css';

const modifiedMs = Date.UTC(2024, 4, 14, 9, 30);

const row = (name: string, size: number, type: (typeof entryTypes)[number] = ''): ListingRow => [
  name,
  size,
  modifiedMs,
  entryTypes.indexOf(type),
];

/** A folder with an entry in each state, in the order of the names, which describe the state. */
function createModel(): ListingModel {
  const model = new ListingModel();
  const rows = [
    row('Drop target', 4096),
    row('Folder', 4096),
    row('.hidden.txt', 12, 'text'),
    row('a name that is far too long for its column and is cut in the middle.tar.gz', 1, 'blob'),
    row('arrived.pdf', 45_000, 'pdf'),
    row('marked.csv', 880, 'text'),
    row('plain.md', 2300, 'text'),
    row('selected.mp3', 3_400_000, 'audio'),
  ];
  model.open({
    path: '/states/',
    name: 'states',
    modified: new Date(modifiedMs).toISOString(),
    numDirs: 2,
    numFiles: rows.length - 2,
    sorting: { by: 'name', asc: false },
    types: entryTypes,
  });
  model.append(rows);
  model.end();
  model.setPending(
    { name: 'uploading.mp4', isFolder: false, isSymlink: false, type: 'video', size: 9e6, modifiedMs },
    0.4,
  );
  const idOf = (name: string): number => model.find(name) ?? 0;
  model.selectOnly(idOf('selected.mp3'));
  model.setDropTarget(idOf('Drop target'));
  model.markArrived([idOf('arrived.pdf')], true);
  model.decorate((path) =>
    path.endsWith('marked.csv') ? <EntryMarks favorite tags={['Tax', 'To pay', 'Kids']} /> : null,
  );
  return model;
}

interface EntriesProps {
  view: ViewMode;
  state: string;
  heightPx: number;
  /** Default: a folder with an entry in each state. */
  create?: () => ListingModel;
}

/** The listing as if the pointer or the focus was on all of its entries, or on none. */
function Entries({ view, state, heightPx, create = createModel }: EntriesProps) {
  const [model] = useState(create);
  return (
    <div className={styles.listing} style={{ blockSize: heightPx }} data-show={state}>
      <Listing
        model={model}
        view={view}
        sorting={{ by: 'name', asc: false }}
        isExactDate
        singleClick={false}
        can={{ rename: true, create: true }}
        folderName={`states, ${view}, ${state}`}
        onSort={() => undefined}
        onOpen={() => undefined}
        onContextMenu={() => undefined}
        onRename={() => undefined}
        emptyState={null}
      />
    </div>
  );
}

/** Plain pictures in three colors. */
const pictures = ['%2341708a', '%23843d5f', '%23437f55'].map(
  (color) =>
    `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 3'%3E%3Cpath fill='${color}' d='M0 0h4v3H0Z'/%3E%3C/svg%3E`,
);

const ignore = (): void => undefined;
const actions = [
  { id: 'download', label: 'Download', icon: Download, run: ignore },
  { id: 'share', label: 'Share', icon: Share2, run: ignore },
  { id: 'copy', label: 'Copy to…', icon: Copy, badge: '3', run: ignore },
  { id: 'rename', label: 'Rename', icon: PencilLine, run: ignore },
  { id: 'delete', label: 'Delete', icon: Trash2, isDangerous: true, run: ignore },
];

export function FileParts() {
  return (
    <div className={styles.stack}>
      {[18, 22, 32, 40, 64].map((size) => (
        <div key={size} className={styles.icons}>
          {fileIconKinds.map((kind) => (
            <FileIcon
              key={kind}
              kind={kind}
              size={size}
              extension={kind === 'folder' ? undefined : kind.slice(0, 4)}
            />
          ))}
        </div>
      ))}
      <div className={styles.row}>
        {[0, 2, 3].map((count) => (
          <div key={count} style={{ inlineSize: 170 }}>
            <Pocket pictures={pictures.slice(0, count)} />
          </div>
        ))}
        <div style={{ inlineSize: 170 }}>
          <Pocket pictures={[]} slips={['pdf', 'sheet', 'document']} />
        </div>
      </div>
      <div style={{ inlineSize: 240 }}>
        <LongName name="a name that is far too long for its container.tar.gz" />
      </div>
      <Entries view="list" state="" heightPx={500} />
      <Entries view="list" state="hover" heightPx={500} />
      <Entries view="list" state="focus" heightPx={500} />
      <Entries view="mosaic" state="" heightPx={420} />
      <Entries view="mosaic" state="hover focus" heightPx={420} />
      <Entries view="list" state="loading" heightPx={300} create={() => new ListingModel()} />
      <Entries view="mosaic" state="loading" heightPx={300} create={() => new ListingModel()} />
      {['', 'hover', 'focus', 'hover press'].map((state) => (
        <div key={state} className={styles.bay} data-show={state}>
          <SelectionBar
            label={`Selected items ${state}`}
            text="3 selected"
            clearLabel="Clear selection"
            onClear={ignore}
            actions={actions}
          />
        </div>
      ))}
    </div>
  );
}
