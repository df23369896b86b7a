import Papa from 'papaparse';
import { useMemo, useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { CircleAlert } from '../../../ui/icons.ts';
import { Select } from '../../../ui/fields/select.tsx';
import { DataTable } from './data-table.tsx';

/** Maximum length of a table that is parsed in the page (docs/reference/filebrowser-api.md §6.6). */
const limitCharacters = 5 * 1024 * 1024;

const separators = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const;
type Separator = 'found' | keyof typeof separators;

export interface CsvViewProps {
  text: string;
  name: string;
}

/**
 * Shows a table whose columns are separated by commas, semicolons, tabs or bars. The separator is detected or chosen.
 */
export function CsvView({ text, name }: CsvViewProps) {
  const { t } = useTranslation('previews');
  const [separator, setSeparator] = useState<Separator>('found');
  const isTooLarge = text.length > limitCharacters;
  const rows = useMemo(
    () => (isTooLarge ? [] : parseTable(text, separator === 'found' ? '' : separators[separator])),
    [text, separator, isTooLarge],
  );
  if (isTooLarge) return <EmptyState icon={<CircleAlert />} title={t('tooLarge')} />;
  return (
    <DataTable
      // Another separator results in another table.
      key={separator}
      label={name}
      rows={rows}
      hasHead
      tools={
        <Select
          label={t('table.separator')}
          isLabelHidden
          value={separator}
          onChange={setSeparator}
          options={[
            { value: 'found', label: t('table.separatorFound') },
            { value: 'comma', label: t('table.separatorComma') },
            { value: 'semicolon', label: t('table.separatorSemicolon') },
            { value: 'tab', label: t('table.separatorTab') },
            { value: 'bar', label: t('table.separatorBar') },
          ]}
        />
      }
    />
  );
}

/** Parses the rows of a table; an empty `delimiter` is detected. */
export const parseTable = (text: string, delimiter = ''): string[][] =>
  Papa.parse<string[]>(text.replace(/^\ufeff/u, ''), { delimiter, skipEmptyLines: true }).data;
