import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useId, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatNumber, pluralValues } from '../../../i18n/format.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { pageConfig } from '../../../api/page-config.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { CircleAlert, X } from '../../../ui/icons.ts';
import { useScrollable } from '../../../ui/hooks/use-scrollable.ts';
import { exactCode } from '../../../api/exact-code.ts';
import { reasonForCode } from '../feedback/failure.ts';
import { closeReport, type Report } from './reports.ts';
import styles from './tray-panel.module.css';

/** Maximum number of listed failures. */
const maxListed = 50;

interface ReportRowProps {
  report: Report;
  onClose?: () => void;
}

/** Lists failures with their reasons until the user closes or retries them. */
export function ReportRow({ report, onClose }: ReportRowProps) {
  const { t } = useTranslation('jobs');
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  const { kind, total, failed, retry } = report;
  return (
    <div className={styles.report} role="status">
      <div className={styles.reportHead}>
        <CircleAlert className={styles.alert} />
        <span className={styles.reportTitle}>
          {t(`failed.${kind}`, { ...pluralValues(failed), total: formatNumber(total) })}
        </span>
        <IconButton
          size="small"
          label={t('dismiss')}
          icon={<X />}
          onClick={onClose ?? (() => closeReport(report.id))}
        />
      </div>
      <div id={listId} hidden={!isOpen}>
        {isOpen && <FailureList report={report} />}
      </div>
      <div className={styles.reportActions}>
        {pageConfig.ReportURL !== '' && (
          <a className={styles.reportLink} href={pageConfig.ReportURL} target="_blank" rel="noreferrer">
            {t('reportIssue', { ns: 'common' })}
          </a>
        )}
        <Button
          size="small"
          variant="quiet"
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setOpen(!isOpen)}
        >
          {t(isOpen ? 'hide' : 'show')}
        </Button>
        {retry && (
          <Button size="small" onClick={retry}>
            {t('retry')}
          </Button>
        )}
      </div>
    </div>
  );
}

function FailureList({ report: { failed, failures } }: { report: Report }) {
  const { t } = useTranslation('jobs');
  const list = useRef<HTMLUListElement>(null);
  const isScrollable = useScrollable(list);
  const hidden = failed - Math.min(failures.length, maxListed);
  return (
    <ul ref={list} className={styles.failures} aria-label={t('list')} {...(isScrollable && { tabIndex: 0 })}>
      {failures.slice(0, maxListed).map(({ path, code, detail }) => (
        <li key={path}>
          <bdi className={styles.failedName} title={displayName(path)}>
            {displayName(nameOf(path as VirtualPath)) || path}
          </bdi>
          <span className={styles.reason}>{reasonForCode(exactCode({ code, detail }))}</span>
        </li>
      ))}
      {hidden > 0 && <li className={styles.reason}>{t('andMore', pluralValues(hidden))}</li>}
    </ul>
  );
}
