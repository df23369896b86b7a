import { useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../buttons/button.tsx';
import { IconButton } from '../buttons/icon-button.tsx';
import { CircleAlert, CircleCheck, X } from '../icons.ts';
import { Kbd } from '../keyboard/kbd.tsx';
import { closeToast, currentToasts, pauseToasts, subscribeToToasts, type Toast } from './toast.ts';
import styles from './toast-region.module.css';

interface ToastRegionProps {
  /** The address for reporting problems, a web or `mailto:` address; empty if there is none. Error toasts offer it. */
  reportURL?: string | undefined;
}

/** The container of the toasts. Once per page, and always present, so that screen readers announce its content. */
export function ToastRegion({ reportURL = '' }: ToastRegionProps) {
  const { t } = useTranslation('common');
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts);
  // The key performs the action of the latest toast only.
  const toastWithKey = toasts.findLast(({ action }) => action?.shortcut !== undefined);
  const region = useRef<HTMLDivElement>(null);
  const focusedBefore = useRef<HTMLElement | null>(null);
  const close = (id: number) => {
    const hadFocus = region.current?.contains(document.activeElement) === true;
    closeToast(id);
    if (hadFocus) focusedBefore.current?.focus();
  };

  return createPortal(
    <div
      ref={region}
      role="presentation"
      data-react-aria-top-layer="true"
      onPointerEnter={() => pauseToasts('pointer', true)}
      onPointerLeave={() => pauseToasts('pointer', false)}
      onFocus={(event) => {
        const from = event.relatedTarget;
        if (from instanceof HTMLElement && !event.currentTarget.contains(from)) focusedBefore.current = from;
        pauseToasts('focus', true);
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) pauseToasts('focus', false);
      }}
    >
      <div
        role="status"
        aria-label={t('notifications')}
        aria-live="polite"
        aria-relevant="additions text"
        aria-atomic="false"
        className={styles.region}
      >
        {toasts.map((toast) => (
          <ToastCard
            key={toast.id}
            toast={toast}
            shortcut={toast === toastWithKey ? toast.action?.shortcut : undefined}
            reportURL={reportURL}
            onClose={() => close(toast.id)}
          />
        ))}
      </div>
    </div>,
    document.body,
  );
}

interface ToastCardProps {
  toast: Toast;
  /** Shown beside the action. */
  shortcut: string | undefined;
  reportURL: string;
  onClose: () => void;
}

const isDialogOpen = (): boolean =>
  document.querySelector('[data-dialog-overlay]:not([data-exiting])') !== null;

function ToastCard({ toast, shortcut, reportURL, onClose }: ToastCardProps) {
  const { t } = useTranslation('common');
  const { tone, message, action, secondAction } = toast;
  const [isAboutDialog] = useState(isDialogOpen);
  return (
    <div className={styles.toast} data-tone={tone} data-about-dialog={isAboutDialog || undefined}>
      {tone === 'success' && <CircleCheck className={styles.icon} />}
      {tone === 'error' && <CircleAlert className={styles.icon} />}
      <p className={styles.message}>{message}</p>
      {[secondAction, action].map(
        (shown) =>
          shown && (
            <Button
              key={shown.label}
              variant="quiet"
              size="small"
              className={styles.action}
              onClick={() => {
                onClose();
                shown.onAction();
              }}
            >
              {shown.label}
            </Button>
          ),
      )}
      {shortcut !== undefined && (
        <span className={styles.key}>
          <Kbd shortcut={shortcut} />
        </span>
      )}
      {tone === 'error' && reportURL !== '' && (
        <a className={styles.report} href={reportURL} target="_blank" rel="noreferrer">
          {t('reportIssue')}
        </a>
      )}
      <IconButton
        size="small"
        label={t('dismissNotification')}
        icon={<X />}
        hasTooltip={false}
        onClick={onClose}
      />
    </div>
  );
}
