import { useCallback, useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { useLocale } from '../../../i18n/use-locale.ts';
import { Select } from '../../../ui/fields/select.tsx';
import { loadBytes } from '../loading/load-bytes.ts';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { LoadedDocument, type DocumentViewProps } from '../loading/loaded-document.tsx';
import { DataTable } from './data-table.tsx';
import { readWorkbook, type Sheet } from './read-workbook.ts';

/** Maximum size of a workbook that is loaded. */
const limitBytes = 10 * 1024 * 1024;

/** Shows a workbook read-only, one sheet at a time. */
export function WorkbookView({ url, name, renderProblem }: DocumentViewProps) {
  const { t } = useTranslation('previews');
  const { languageTag } = useLocale();
  const load = useCallback(
    async (signal: AbortSignal): Promise<readonly Sheet[]> => {
      const bytes = await loadBytes(url, { signal, limitBytes });
      const dates = new Intl.DateTimeFormat(languageTag, { dateStyle: 'medium', timeZone: 'UTC' });
      const times = new Intl.DateTimeFormat(languageTag, {
        dateStyle: 'medium',
        timeStyle: 'short',
        timeZone: 'UTC',
      });
      const numbers = new Intl.NumberFormat(languageTag, { maximumFractionDigits: 10, useGrouping: false });
      return readWorkbook(
        bytes,
        {
          number: (value) => numbers.format(value),
          date: (at, hasTime) => (hasTime ? times : dates).format(at),
          yes: t('table.yes'),
          no: t('table.no'),
        },
        signal,
      );
    },
    [url, languageTag, t],
  );
  const loaded = useLoaded(load);
  const [index, setIndex] = useState(0);
  return (
    <LoadedDocument loaded={loaded} name={name} renderProblem={renderProblem}>
      {(sheets) => {
        const sheet = sheets[index] ?? sheets[0];
        if (!sheet) return renderProblem(t('brokenDocument'));
        return (
          <DataTable
            key={index}
            label={sheet.name || name}
            rows={sheet.rows}
            hasLetters
            tools={
              sheets.length > 1 && (
                <Select
                  label={t('table.sheet')}
                  isLabelHidden
                  value={String(index)}
                  onChange={(chosen) => setIndex(Number(chosen))}
                  options={sheets.map((one, position) => ({
                    value: String(position),
                    label: one.name || formatNumber(position + 1),
                  }))}
                />
              )
            }
          />
        );
      }}
    </LoadedDocument>
  );
}
