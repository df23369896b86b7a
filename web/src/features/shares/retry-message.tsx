import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { RefreshCw } from '../../ui/icons.ts';
import styles from './retry-message.module.css';

interface RetryMessageProps {
  text: string;
  isSmall?: boolean;
  onRetry: () => void;
}

/** An error message with a button that tries again. */
export function RetryMessage({ text, isSmall = false, onRetry }: RetryMessageProps) {
  const { t } = useTranslation('common');
  return (
    <div className={styles.message}>
      <p role="alert">{text}</p>
      <Button size={isSmall ? 'small' : undefined} icon={<RefreshCw />} onClick={onRetry}>
        {t('retry')}
      </Button>
    </div>
  );
}
