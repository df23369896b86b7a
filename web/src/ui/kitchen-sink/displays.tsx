import { formatDate, formatDuration, formatList, formatNumber, formatSize } from '../../i18n/format.ts';
import { useLocale } from '../../i18n/use-locale.ts';
import { Avatar } from '../names/avatar.tsx';
import { Button } from '../buttons/button.tsx';
import { EmptyState } from '../feedback/empty-state.tsx';
import { FileIcon, fileIconKinds } from '../names/file-icon.tsx';
import { FolderPlus, Upload } from '../icons.ts';
import { ProgressBar } from '../feedback/progress-bar.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { Table } from '../table.tsx';
import styles from './kitchen-sink.module.css';

const shownAtMs = Date.now();
const lastYearMs = Date.UTC(2025, 2, 2);
const users = [
  { name: 'Ana Lisboa', scope: '/', files: 12_345 },
  { name: 'Ben', scope: '/photos', files: 87 },
];
const types = [
  'hero',
  'display',
  'title',
  'path',
  'dialog',
  'name',
  'body',
  'secondary',
  'section',
  'label',
  'code',
];
const drawings = ['folder', 'search', 'trash', 'links', 'missing', 'locked', 'offline', 'broken'] as const;

export function DisplayParts() {
  useLocale();
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
      <ProgressBar label="Upload" value={0.4} />
      <ProgressBar label="Storage" value={0.85} tone="warning" size="medium" />
      <ProgressBar label="Reading" value="indeterminate" />
      <div className={styles.row}>
        <Avatar name="Ana Lisboa" size={40} />
        <Avatar name="ben" />
        <Avatar name="ש לום" size={24} />
      </div>
      <div className={styles.stack}>
        <Skeleton width="60%" />
        <Skeleton width="40%" />
        <Skeleton width="40px" height="40px" isRound />
      </div>
      <Table
        label="Users"
        rows={users}
        rowKey={({ name }) => name}
        sort={{ columnId: 'name', isDescending: false }}
        onSort={() => undefined}
        columns={[
          { id: 'name', header: 'Name', isRowHeader: true, isSortable: true, cell: ({ name }) => name },
          { id: 'scope', header: 'Folder', cell: ({ scope }) => scope },
          {
            id: 'files',
            header: 'Files',
            align: 'end',
            isSortable: true,
            cell: ({ files }) => formatNumber(files),
          },
        ]}
      />
      <p>
        {formatSize(0)} · {formatSize(1023)} · {formatSize(1536)} · {formatSize(1_234_000_000)} ·{' '}
        {formatDate(shownAtMs)} · {formatDate(shownAtMs - 86_400_000 * 9)} · {formatDate(lastYearMs)} ·{' '}
        {formatDuration(190)} · {formatList(['a', 'b', 'c'])}
      </p>
      <div className={styles.types}>
        {types.map((type) => (
          <div key={type} style={{ font: `var(--type-${type})` }}>
            {type} “The quick” brown fox, 0123456789 — Größe أهلا وسهلا שלום
          </div>
        ))}
      </div>
      <div className={styles.grid}>
        {drawings.map((drawing) => (
          <EmptyState
            key={drawing}
            illustration={drawing}
            headingLevel={3}
            title="Nothing here yet"
            actions={
              drawing === 'folder' && (
                <>
                  <Button icon={<Upload />}>Upload</Button>
                  <Button icon={<FolderPlus />}>New folder</Button>
                </>
              )
            }
          >
            Drop files here or
          </EmptyState>
        ))}
      </div>
    </div>
  );
}
