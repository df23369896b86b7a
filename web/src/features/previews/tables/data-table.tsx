import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatNumber, pluralValues } from '../../../i18n/format.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ScrollArea } from '../scroll-area.tsx';
import styles from './data-table.module.css';

/** The number of rows that are shown at first, and added by each press of “more”. */
const pageRows = 1000;
/** Maximum number of cells per page of very wide rows. */
const pageCells = 30_000;
/** Maximum number of shown columns; a notice states how many there are. */
const maxColumns = 200;

interface DataTableProps {
  label: string;
  rows: readonly (readonly string[])[];
  /** Shows the first row as column headers. */
  hasHead?: boolean | undefined;
  /** Labels columns and rows as spreadsheets do. */
  hasLetters?: boolean | undefined;
  tools?: ReactNode;
}

/** Returns the name of a column: `A`, `B` … `Z`, `AA` for 0, 1 … */
export function columnLetters(index: number): string {
  let letters = '';
  for (let rest = index; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
  }
  return letters;
}

/** Whether a cell looks like a number; numbers are aligned to the end. */
const isNumeric = (cell: string): boolean => /^[-+]?[\d.,\s\u00a0\u202f']*\d\s?[%€$£]?$/u.test(cell);

/** Shows a table, a thousand rows at a time. Cells that look like formulas are plain text. */
export function DataTable({ label, rows, hasHead = false, hasLetters = false, tools }: DataTableProps) {
  const { t } = useTranslation('previews');
  const widest = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const columns = Math.min(widest, maxColumns);
  const step = Math.min(pageRows, Math.max(100, Math.floor(pageCells / Math.max(1, columns))));
  const [pages, setPages] = useState(1);
  const head = hasHead ? rows[0] : undefined;
  const body = head ? rows.slice(1) : rows;
  const shown = body.slice(0, pages * step).map((cells, index) => ({ cells, number: index + 1 }));
  const numbers = Array.from({ length: columns }, (_, column) => column);
  return (
    <div className={styles.view}>
      <div className={styles.bar}>
        <span className={styles.count} role="status">
          {shown.length < body.length
            ? t('table.someRows', { shown: formatNumber(shown.length), ...pluralValues(body.length) })
            : t('table.rows', pluralValues(body.length))}
          {widest > columns && ` · ${t('table.someColumns', pluralValues(columns))}`}
        </span>
        <div className={styles.tools}>{tools}</div>
      </div>
      <ScrollArea className={styles.scroller} label={label}>
        <table className={styles.table} aria-label={label}>
          {(head || hasLetters) && (
            <thead>
              <tr>
                {hasLetters && (
                  <th className={styles.number} scope="col">
                    <span className="visually-hidden">{t('table.row')}</span>
                  </th>
                )}
                {numbers.map((column) => (
                  <th key={column} scope="col" dir="auto">
                    {head
                      ? head[column] || <span className="visually-hidden">{columnLetters(column)}</span>
                      : columnLetters(column)}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {shown.map(({ cells, number }) => (
              <tr key={number}>
                {hasLetters && (
                  <th className={styles.number} scope="row">
                    {formatNumber(number)}
                  </th>
                )}
                {numbers.map((column) => {
                  const cell = cells[column] ?? '';
                  return (
                    <td key={column} dir="auto" data-numeric={isNumeric(cell) || undefined}>
                      {cell}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
        {shown.length < body.length && (
          <div className={styles.more}>
            <Button onClick={() => setPages(pages + 1)}>{t('table.more')}</Button>
          </div>
        )}
      </ScrollArea>
    </div>
  );
}
