import { QRCodeSVG } from 'qrcode.react';
import { useTranslation } from 'react-i18next';
import styles from './qr-code.module.css';

/** Side in pixels, and how much of the code may be lost (docs/reference/behaviour.md §9). */
const sizePx = 200;
const errorLevel = 'M';

/** An address to be read by a camera; dark on white in both themes, as readers expect. */
export function QrCode({ address }: { address: string }) {
  const { t } = useTranslation('shares');
  return (
    <div className={styles.paper}>
      <QRCodeSVG value={address} size={sizePx} level={errorLevel} title={t('qrCode')} role="img" />
    </div>
  );
}
