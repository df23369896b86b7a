import type { ReactNode } from 'react';
import { sortKeys, viewModes, type Sorting, type ViewMode } from '@filestead/contract/users';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Select } from '../../ui/fields/select.tsx';
import styles from './user-fields.module.css';

/** The appearance of a listing when it is opened. */
export interface ListingView {
  viewMode: ViewMode;
  sorting: Sorting;
}

export interface ViewFieldsProps {
  view: ListingView;
  onChange: (view: Partial<ListingView>) => void;
  /** As in `DisplayFields`. */
  renderField?: ((name: keyof ListingView, control: ReactNode) => ReactNode) | undefined;
}

/** The fields for the view and sorting of listings. */
export function ViewFields({ view: { viewMode, sorting }, onChange, renderField }: ViewFieldsProps) {
  const { t } = useTranslation(['users', 'listing']);
  const render = renderField ?? ((_name: keyof ListingView, control: ReactNode) => control);
  return (
    <div className={styles.columns}>
      {render(
        'viewMode',
        <Select
          label={t('form.viewMode')}
          value={viewMode}
          onChange={(next) => onChange({ viewMode: next })}
          options={viewModes.map((value) => ({ value, label: t(`form.viewModes.${value}`) }))}
        />,
      )}
      <Select
        label={t('form.sortBy')}
        value={sorting.by}
        onChange={(by) => onChange({ sorting: { ...sorting, by } })}
        options={sortKeys.map((value) => ({ value, label: t(`listing:columns.${value}.sort`) }))}
      />
      {render(
        'sorting',
        <Select
          label={t('form.sortDirection')}
          value={String(sorting.asc)}
          onChange={(asc) => onChange({ sorting: { ...sorting, asc: asc === 'true' } })}
          options={[
            { value: 'false', label: t(`listing:columns.${sorting.by}.usual`) },
            { value: 'true', label: t(`listing:columns.${sorting.by}.other`) },
          ]}
        />,
      )}
    </div>
  );
}
