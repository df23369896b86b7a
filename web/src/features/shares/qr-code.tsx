import { QRCodeSVG } from 'qrcode.react';
import { useTranslation } from '../../i18n/use-translation.ts';
import styles from './qr-code.module.css';

/** The side length in pixels, and the error correction level (docs/reference/behaviour.md §9). */
const sizePx = 200;
const errorLevel = 'M';

/** The QR code of an address; dark on white in both themes, as scanners expect. */
export function QrCode({ address }: { address: string }) {
  const { t } = useTranslation('shares');
  return (
    <div className={styles.paper}>
      <QRCodeSVG value={address} size={sizePx} level={errorLevel} title={t('qrCode')} role="img" />
    </div>
  );
}
