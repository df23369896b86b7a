import { useTranslation } from '../../i18n/use-translation.ts';
import { Card } from '../../ui/card.tsx';
import { setSingleKeys, useSingleKeys } from '../../ui/keyboard/single-keys.ts';
import { Switch } from '../../ui/fields/switch.tsx';

/** The keyboard settings of this browser. Saved at once. */
export function KeyboardCard() {
  const { t } = useTranslation('settings');
  const areOn = useSingleKeys();
  return (
    <Card title={t('keyboard.title')}>
      <Switch isSelected={areOn} description={t('keyboard.singleKeysHint')} onChange={setSingleKeys}>
        {t('keyboard.singleKeys')}
      </Switch>
    </Card>
  );
}
