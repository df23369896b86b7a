import type { ReactNode } from 'react';
import { ArrowDown, ArrowUp } from './icons.ts';
import styles from './table.module.css';

export interface TableColumn<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Makes the cell the header of its row. */
  isRowHeader?: boolean;
  /** `end` for numbers, whose digits align. */
  align?: 'start' | 'end';
  isHeaderHidden?: boolean;
  isSortable?: boolean;
}

export interface TableProps<Row> {
  label: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  sort?: { columnId: string; isDescending: boolean } | undefined;
  onSort?: ((columnId: string) => void) | undefined;
}

/** A table of some dozens of rows, such as users or shares. File listings have their own. */
export function Table<Row>({ label, columns, rows, rowKey, sort, onSort }: TableProps<Row>) {
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => {
              const isSorted = sort?.columnId === column.id;
              const direction = sort?.isDescending === true ? 'descending' : 'ascending';
              return (
                <th
                  key={column.id}
                  scope="col"
                  data-align={column.align}
                  aria-sort={isSorted ? direction : undefined}
                >
                  <HeaderText column={column} onSort={onSort}>
                    {isSorted && (sort.isDescending ? <ArrowDown /> : <ArrowUp />)}
                  </HeaderText>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) =>
                column.isRowHeader ? (
                  <th key={column.id} scope="row" data-align={column.align}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.id} data-align={column.align}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeaderTextProps {
  column: { id: string; header: string; isHeaderHidden?: boolean; isSortable?: boolean };
  onSort: ((columnId: string) => void) | undefined;
  children: ReactNode;
}

function HeaderText({ column, onSort, children }: HeaderTextProps) {
  if (column.isHeaderHidden) return <span className="visually-hidden">{column.header}</span>;
  if (!column.isSortable || onSort === undefined) return column.header;
  return (
    <button type="button" className={styles.sort} onClick={() => onSort(column.id)}>
      {column.header}
      {children}
    </button>
  );
}
