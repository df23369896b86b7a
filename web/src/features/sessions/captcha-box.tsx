import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { pageConfig } from '../../api/page-config.ts';
import { useIsDark } from '../../styles/theme.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { loadCaptcha, type CaptchaService } from './captcha-service.ts';
import styles from './captcha-box.module.css';

/** Below this width the small form of the captcha is shown, in px. */
const normalWidth = 304;

export interface CaptchaHandle {
  /** A response is good once: after an attempt there has to be another. */
  reset: () => void;
}

interface CaptchaBoxProps {
  ref: Ref<CaptchaHandle>;
  /** Gets the response, or the empty text when there is none any more. */
  onChange: (response: string) => void;
  errorMessage: string | undefined;
}

type Shown = { service: CaptchaService; widget: number | string } | null;

/** The captcha of the service that the administrator chose. Its place is kept free while it loads. */
export function CaptchaBox({ ref, onChange, errorMessage }: CaptchaBoxProps) {
  const { t } = useTranslation('app');
  const isDark = useIsDark();
  const [hasFailed, setFailed] = useState(false);
  const shown = useRef<Shown>(null);
  useImperativeHandle(ref, () => ({
    reset: () => {
      shown.current?.service.reset(shown.current.widget);
      onChange('');
    },
  }));
  return (
    <div className={styles.captcha}>
      {hasFailed ? (
        <div className={styles.failed}>
          <p role="alert">{t('login.captcha.notLoaded')}</p>
          <Button size="small" onClick={() => setFailed(false)}>
            {t('errors.retry')}
          </Button>
        </div>
      ) : (
        <Widget
          key={String(isDark)}
          isDark={isDark}
          onShown={(next) => {
            shown.current = next;
          }}
          onChange={onChange}
          onFailed={() => setFailed(true)}
        />
      )}
      <div role="alert" className={styles.error}>
        {errorMessage}
      </div>
    </div>
  );
}

interface WidgetProps {
  isDark: boolean;
  /** With what can be reset now, or null when it has gone. */
  onShown: (shown: Shown) => void;
  onChange: (response: string) => void;
  onFailed: () => void;
}

/** The service's own part. It is made once: give it a `key` of what it was made with. */
function Widget({ isDark, onShown, onChange, onFailed }: WidgetProps) {
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef({ isDark, onShown, onChange, onFailed });
  useEffect(() => {
    latest.current = { isDark, onShown, onChange, onFailed };
  });
  useEffect(() => {
    const box = frame.current;
    if (!box) return undefined;
    // A place of its own each time: services cannot render twice into one.
    const place = document.createElement('div');
    box.append(place);
    let isGone = false;
    const show = async () => {
      try {
        const service = await loadCaptcha(pageConfig.ReCaptchaScript ?? '');
        if (isGone) return;
        const forget = () => latest.current.onChange('');
        const widget = service.render(place, {
          sitekey: pageConfig.ReCaptchaKey ?? '',
          theme: latest.current.isDark ? 'dark' : 'light',
          size: box.clientWidth < normalWidth ? 'compact' : 'normal',
          callback: (response) => latest.current.onChange(response),
          'expired-callback': forget,
          'error-callback': forget,
        });
        latest.current.onShown({ service, widget });
      } catch {
        if (!isGone) latest.current.onFailed();
      }
    };
    void show();
    return () => {
      isGone = true;
      latest.current.onShown(null);
      latest.current.onChange('');
      place.remove();
    };
  }, []);
  return <div ref={frame} className={styles.frame} />;
}
