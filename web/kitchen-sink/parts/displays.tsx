import { formatDate, formatDuration, formatList, formatNumber, formatSize } from '../../src/i18n/format.ts';
import { Avatar } from '../../src/ui/names/avatar.tsx';
import { Table } from '../../src/ui/table.tsx';
import styles from '../kitchen-sink.module.css';
import { States } from './states.tsx';

const lastYearMs = Date.UTC(2025, 2, 2);
const users = [
  { name: 'Ana Lisboa', scope: '/', files: 12_345 },
  { name: 'Ben', scope: '/photos', files: 87 },
];

function Users() {
  return (
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
  );
}

export function DisplayParts() {
  return (
    <div className={styles.stack}>
      <div className={styles.row}>
        <Avatar name="Ana Lisboa" size={56} />
        <Avatar name="Ana Lisboa" size={40} />
        <Avatar name="ben" />
        <Avatar name="ש לום" size={24} />
      </div>
      <States>
        <Users />
      </States>
      <p>
        {formatSize(0)} · {formatSize(1023)} · {formatSize(1536)} · {formatSize(1_234_000_000)} ·{' '}
        {formatDate(lastYearMs)} · {formatDuration(190)} · {formatList(['a', 'b', 'c'])}
      </p>
    </div>
  );
}
