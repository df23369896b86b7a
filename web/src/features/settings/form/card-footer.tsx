import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { SavedMark } from '../../../ui/feedback/saved-mark.tsx';
import styles from '../settings.module.css';

export interface CardFooterProps {
  isPending: boolean;
  /** Whether the values of the card have just been saved. */
  isDone: boolean;
  failure: string;
}

/** The footer of a card: the save button and the error message. */
export function CardFooter({ isPending, isDone, failure }: CardFooterProps) {
  const { t } = useTranslation('settings');
  return (
    <>
      <Button type="submit" variant="primary" isPending={isPending}>
        {t('update')}
      </Button>
      <SavedMark isShown={isDone}>{t('saved')}</SavedMark>
      <p role="alert" className={styles.failure}>
        {failure}
      </p>
    </>
  );
}
