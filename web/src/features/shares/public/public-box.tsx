import { useId, useState, type RefObject } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { useNavigate } from '../../../ui/navigation/router.tsx';
import { displayName } from '../../../i18n/display-name.ts';
import { formatDateExact, formatNumber, formatRelative, formatSize } from '../../../i18n/format.ts';
import { formatEnd } from '../../../i18n/expiry.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { followDownload } from '../../../ui/follow-download.ts';
import { ChevronDown, Download, ExternalLink, Eye, QrCode as QrIcon } from '../../../ui/icons.ts';
import { LinkButton } from '../../../ui/buttons/link-button.tsx';
import { Menu, MenuItem, MenuTrigger } from '../../../ui/overlays/menu.tsx';
import { Tooltip } from '../../../ui/overlays/tooltip.tsx';
import { LazyQrCode } from '../lazy-qr-code.tsx';
import type { PublicEntry } from './open-public.ts';
import styles from './public-box.module.css';
import { PublicCover } from './public-cover.tsx';
import { formatName, offeredFormats } from './public-downloads.ts';
import { usePreviewLink } from './public-previews.ts';
import { downloadAddress, absoluteDownloadAddress } from '../share-address.ts';
import { nameOfEntry } from '../share-texts.ts';

interface PublicBoxProps {
  entry: PublicEntry;
  /** Whether the file can be opened in the previewer. */
  canPreview: boolean;
  /** Gets the focus when the page changes. */
  headingRef: RefObject<HTMLHeadingElement | null>;
}

/** A summary of the shared entry with its downloads (docs/reference/behaviour.md §2). */
export function PublicBox({ entry, canPreview, headingRef }: PublicBoxProps) {
  const { t } = useTranslation('shares');
  const [hasQr, setQr] = useState(false);
  const qrId = useId();
  const navigate = useNavigate();
  const link = usePreviewLink(entry);
  const { isFolder, items, size, modifiedMs, token, endsMs } = entry;
  const count = items.length;
  // The sizes of folders are not known to visitors.
  const knownSize =
    count === 0 || items.some((item) => item.isFolder)
      ? null
      : items.reduce((sum, item) => sum + item.size, 0);
  return (
    <section
      className={styles.box}
      aria-label={t(isFolder ? 'public.downloadFolder' : 'public.downloadFile')}
    >
      <PublicCover entry={entry} />
      <div className={styles.texts}>
        <h1 ref={headingRef} tabIndex={-1} className={styles.name}>
          <bdi>{displayName(nameOfEntry(entry))}</bdi>
        </h1>
        <p className={styles.metadata}>
          <span>
            {isFolder ? t('public.items', { count, number: formatNumber(count) }) : formatSize(size)}
          </span>
          {isFolder && knownSize !== null && <span>{formatSize(knownSize)}</span>}
          <Tooltip text={formatDateExact(modifiedMs)}>
            <time dateTime={new Date(modifiedMs).toISOString()}>
              {t('public.modified', { when: formatRelative(modifiedMs) })}
            </time>
          </Tooltip>
          {endsMs !== null && (
            <Tooltip text={formatDateExact(endsMs)}>
              <time dateTime={new Date(endsMs).toISOString()}>
                {t('public.until', { when: formatEnd(endsMs) })}
              </time>
            </Tooltip>
          )}
        </p>
        <div className={styles.actions}>
          <span className={styles.download}>
            <LinkButton
              href={downloadAddress(entry, { token })}
              download=""
              variant="primary"
              size="large"
              icon={<Download />}
              className={isFolder ? styles.joined : undefined}
            >
              {t('public.download')}
            </LinkButton>
            {isFolder && <FormatMenu entry={entry} />}
          </span>
          {canPreview && (
            <Button size="large" icon={<Eye />} onClick={() => void navigate(link.to, { state: link.state })}>
              {t('public.preview')}
            </Button>
          )}
          {!isFolder && (
            <LinkButton
              href={downloadAddress(entry, { token, isInline: true, key: modifiedMs })}
              target="_blank"
              rel="noopener noreferrer"
              size="large"
              icon={<ExternalLink />}
            >
              {t('public.openFile')}
            </LinkButton>
          )}
          <Button
            variant="quiet"
            size="large"
            icon={<QrIcon />}
            aria-expanded={hasQr}
            aria-controls={hasQr ? qrId : undefined}
            onClick={() => setQr(!hasQr)}
          >
            {t('showQr')}
          </Button>
        </div>
      </div>
      {hasQr && (
        <div id={qrId} className={styles.qr}>
          <LazyQrCode address={absoluteDownloadAddress(entry, { token })} />
          <p>{t('public.qrHint')}</p>
        </div>
      )}
    </section>
  );
}

/** The menu of further archive formats. */
function FormatMenu({ entry }: { entry: PublicEntry }) {
  const { t } = useTranslation('shares');
  const { token } = entry;
  return (
    <MenuTrigger>
      <IconButton
        className={styles.formats}
        size="large"
        label={t('public.formats')}
        icon={<ChevronDown />}
        hasTooltip={false}
      />
      <Menu placement="bottom end">
        {offeredFormats.map((format) => (
          <MenuItem key={format} onAction={() => followDownload(downloadAddress(entry, { token, format }))}>
            {formatName(format)}
          </MenuItem>
        ))}
      </Menu>
    </MenuTrigger>
  );
}
