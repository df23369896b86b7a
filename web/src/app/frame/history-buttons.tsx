import { useLocation, useNavigate } from '../../ui/navigation/router.tsx';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { ChevronLeft, ChevronRight } from '../../ui/icons.ts';
import { historyReach } from '../../ui/navigation/page-history.ts';
import styles from './frame.module.css';

/** The buttons at the start of the top bar: back and forward, as in the browser. */
export function HistoryButtons() {
  const { t } = useTranslation('app');
  const navigate = useNavigate();
  // Subscribes to navigation, so that the buttons are rendered again with every entry of the browser's history.
  useLocation();
  const { canGoBack, canGoForward } = historyReach();
  return (
    <div className={styles.history}>
      <IconButton
        size="small"
        label={t('frame.goBack')}
        icon={<ChevronLeft />}
        isDisabled={!canGoBack}
        onClick={() => void navigate(-1)}
      />
      <IconButton
        size="small"
        label={t('frame.goForward')}
        icon={<ChevronRight />}
        isDisabled={!canGoForward}
        onClick={() => void navigate(1)}
      />
    </div>
  );
}
