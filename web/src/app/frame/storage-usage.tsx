import { rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { Link } from '../../ui/navigation/router.tsx';
import { useTranslation } from '../../i18n/use-translation.ts';
import { pageConfig } from '../../api/page-config.ts';
import { formatPercent, formatSize } from '../../i18n/format.ts';
import { HardDrive } from '../../ui/icons.ts';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { spaceAddress } from '../routes/file-address.ts';
import { Tooltip } from '../../ui/overlays/tooltip.tsx';
import styles from './storage-usage.module.css';
import { toneOfFraction, usedFraction, useUsage } from './usage.ts';

/** Whether the usage bar is shown: on screens of files, unless the administrator has disabled it. */
export const isUsageShown = (path: VirtualPath | undefined): path is VirtualPath =>
  path !== undefined && !pageConfig.DisableUsedPercentage;

/**
 * The usage of the file system that contains the current folder, as a bar and in words. Its space is reserved from the
 * start.
 */
export function StorageUsage({ path, isCollapsed = false }: { path: VirtualPath; isCollapsed?: boolean }) {
  const { t } = useTranslation('app');
  const usage = useUsage(path);
  if (usage === null) return <div className={styles.usage} data-collapsed={isCollapsed || undefined} />;
  const fraction = usedFraction(usage);
  const text = t('frame.usage', { used: formatSize(usage.used), total: formatSize(usage.total) });
  const bar = (
    <ProgressBar
      label={t('frame.storage')}
      value={fraction}
      valueText={`${formatPercent(fraction)}, ${text}`}
      tone={toneOfFraction(fraction)}
      size="medium"
    />
  );
  if (isCollapsed) {
    return (
      <Tooltip text={text} isDescription={false}>
        <div className={styles.usage} data-collapsed>
          <HardDrive />
          {bar}
        </div>
      </Tooltip>
    );
  }
  return (
    <div className={styles.usage}>
      <p className={styles.texts}>
        {pageConfig.EnableCatalogue ? (
          <Link to={spaceAddress(rootPath)} title={t('frame.whatFills')} className={styles.link}>
            {t('frame.storage')}
          </Link>
        ) : (
          <span>{t('frame.storage')}</span>
        )}
        <span className={styles.text}>{text}</span>
      </p>
      {bar}
    </div>
  );
}
