import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import styles from './settings.module.css';

/** The end of a card: the button that saves it, and what went wrong. */
export function CardFooter({ isPending, failure }: { isPending: boolean; failure: string }) {
  const { t } = useTranslation('settings');
  return (
    <>
      <Button type="submit" variant="primary" isPending={isPending}>
        {t('update')}
      </Button>
      <p role="alert" className={styles.failure}>
        {failure}
      </p>
    </>
  );
}
