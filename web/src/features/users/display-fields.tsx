import type { UserDefaults } from '@filestead/contract/settings';
import { switchPreferences, type SwitchPreference } from '@filestead/contract/user-fields';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Switch } from '../../ui/fields/switch.tsx';
import styles from './user-fields.module.css';
import { ViewFields } from './view-fields.tsx';

/** The display settings of a user. */
export type Display = Pick<UserDefaults, 'viewMode' | 'sorting' | SwitchPreference>;

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
        {switchPreferences.map((name) => (
          <Switch
            key={name}
            isSelected={display[name]}
            description={t(`preferences.${name}Hint`)}
            onChange={(isSelected) => onChange({ [name]: isSelected })}
          >
            {t(`preferences.${name}`)}
          </Switch>
        ))}
      </div>
    </>
  );
}
