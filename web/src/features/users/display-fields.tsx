import type { UserDefaults } from '@filestead/contract/settings';
import { useTranslation } from 'react-i18next';
import { Switch } from '../../ui/fields/switch.tsx';
import styles from './user-fields.module.css';
import { ViewFields } from './view-fields.tsx';

const flags = ['singleClick', 'hideDotfiles', 'dateFormat', 'redirectAfterCopyMove'] as const;

/** The display settings of a user. */
export type Display = Pick<UserDefaults, 'viewMode' | 'sorting' | (typeof flags)[number]>;

export interface DisplayFieldsProps {
  display: Display;
  onChange: (display: Partial<Display>) => void;
}

/** The fields of all display settings of a user. */
export function DisplayFields({ display, onChange }: DisplayFieldsProps) {
  const { t } = useTranslation('users');
  return (
    <>
      <ViewFields view={display} onChange={onChange} />
      <div className={styles.switches}>
        {flags.map((name) => (
          <Switch
            key={name}
            isSelected={display[name]}
            onChange={(isSelected) => onChange({ [name]: isSelected })}
          >
            {t(`form.${name}`)}
          </Switch>
        ))}
      </div>
    </>
  );
}
