import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { pageConfig } from '../../api/page-config.ts';
import { useIsDark } from '../../styles/theme.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { loadCaptcha, type CaptchaService } from './captcha-service.ts';
import styles from './captcha-box.module.css';

/** Below this width the compact form of the captcha is shown, in px. */
const normalWidthPx = 304;

export interface CaptchaHandle {
  /** Requests a new response: each response is valid for one attempt. */
  reset: () => void;
}

interface CaptchaBoxProps {
  ref: Ref<CaptchaHandle>;
  /** Called with the response, or with an empty string when it has expired. */
  onChange: (response: string) => void;
  errorMessage: string | undefined;
}

/** A rendered widget of a captcha service; null while there is none. */
type RenderedWidget = { service: CaptchaService; widget: number | string } | null;

/** The captcha of the service that the administrator chose. Its space is reserved while it loads. */
export function CaptchaBox({ ref, onChange, errorMessage }: CaptchaBoxProps) {
  const { t } = useTranslation('app');
  const isDark = useIsDark();
  const [hasFailed, setFailed] = useState(false);
  const shown = useRef<RenderedWidget>(null);
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
  /** Called with a handle for resetting the captcha, or null after it was removed. */
  onShown: (shown: RenderedWidget) => void;
  onChange: (response: string) => void;
  onFailed: () => void;
}

/** The widget of the captcha service. It is rendered once: set a `key` derived from its options. */
function Widget({ isDark, onShown, onChange, onFailed }: WidgetProps) {
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef({ isDark, onShown, onChange, onFailed });
  useEffect(() => {
    latest.current = { isDark, onShown, onChange, onFailed };
  });
  useEffect(() => {
    const box = frame.current;
    if (!box) return undefined;
    // A new element each time: captcha services cannot render twice into the same one.
    const container = document.createElement('div');
    box.append(container);
    let isUnmounted = false;
    const show = async () => {
      try {
        const service = await loadCaptcha(pageConfig.ReCaptchaScript ?? '');
        if (isUnmounted) return;
        const forget = () => latest.current.onChange('');
        const widget = service.render(container, {
          sitekey: pageConfig.ReCaptchaKey ?? '',
          theme: latest.current.isDark ? 'dark' : 'light',
          size: box.clientWidth < normalWidthPx ? 'compact' : 'normal',
          callback: (response) => latest.current.onChange(response),
          'expired-callback': forget,
          'error-callback': forget,
        });
        latest.current.onShown({ service, widget });
      } catch {
        if (!isUnmounted) latest.current.onFailed();
      }
    };
    void show();
    return () => {
      isUnmounted = true;
      latest.current.onShown(null);
      latest.current.onChange('');
      container.remove();
    };
  }, []);
  return <div ref={frame} className={styles.frame} />;
}
