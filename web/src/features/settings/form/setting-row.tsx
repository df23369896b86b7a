import type { ReactNode } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Check } from '../../../ui/icons.ts';
import styles from '../settings.module.css';
import type { FieldState } from './use-instant-draft.ts';

/** A field that is saved at once, with the result beside it. */
export function SettingRow({ state, children }: { state: FieldState; children: ReactNode }) {
  const { t } = useTranslation('settings');
  return (
    <div className={styles.row}>
      {children}
      <span role="status" className={state?.kind === 'saved' ? styles.mark : undefined}>
        {state?.kind === 'saved' && (
          <>
            <Check />
            {t('saved')}
          </>
        )}
      </span>
      <div role="alert" className={styles.rowFailure}>
        {state?.kind === 'failed' && state.text}
      </div>
    </div>
  );
}
