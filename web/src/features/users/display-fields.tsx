import { Fragment, type ReactNode } from 'react';
import type { UserDefaults } from '@filestead/contract/settings';
import {
  choicePreferences,
  choicesOf,
  switchPreferences,
  type ChoicePreference,
  type SwitchPreference,
} from '@filestead/contract/user-fields';
import { useTranslation } from '../../i18n/use-translation.ts';
import { pageConfig } from '../../api/page-config.ts';
import { Select } from '../../ui/fields/select.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import styles from './user-fields.module.css';
import { ViewFields } from './view-fields.tsx';

/** The display settings of a user. */
export type Display = Pick<UserDefaults, 'viewMode' | 'sorting' | ChoicePreference | SwitchPreference>;

export interface DisplayFieldsProps {
  display: Display;
  onChange: (display: Partial<Display>) => void;
  /** Renders a control together with the result of saving it. Default: the control alone. */
  renderField?: ((name: keyof Display, control: ReactNode) => ReactNode) | undefined;
}

/** The fields of all display settings of a user. */
export function DisplayFields({ display, onChange, renderField }: DisplayFieldsProps) {
  const { t } = useTranslation('users');
  const render = renderField ?? ((_name: keyof Display, control: ReactNode) => control);
  return (
    <>
      <div className={styles.columns}>
        {choicePreferences.map((name) => (
          <Fragment key={name}>
            {render(
              name,
              <Select
                label={t(`preferences.${name}`)}
                value={display[name]}
                onChange={(value) => onChange({ [name]: value })}
                options={choicesOf(name)
                  .filter(isOffered)
                  .map((value) => ({ value, label: t(`preferences.${name}Choices.${value}`) }))}
              />,
            )}
          </Fragment>
        ))}
      </div>
      <ViewFields view={display} onChange={onChange} renderField={renderField} />
      <div className={styles.switches}>
        {switchPreferences.map((name) => (
          <Fragment key={name}>
            {render(
              name,
              <Switch
                isSelected={display[name]}
                description={t(`preferences.${name}Hint`)}
                onChange={(isSelected) => onChange({ [name]: isSelected })}
              >
                {t(`preferences.${name}`)}
              </Switch>,
            )}
          </Fragment>
        ))}
      </div>
    </>
  );
}

/** Whether a page to start on exists: Home needs the catalogue. */
const isOffered = (page: Display['startOn']): boolean => page !== 'home' || pageConfig.EnableCatalogue;
