import type { StorageReport } from '@filestead/contract/endpoints/storage';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatDuration, formatNumber, formatRelative, formatSize, pluralValues } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { Table } from '../../ui/table.tsx';
import { Property, PropertyList } from './property-list.tsx';
import { storageQuery } from './storage-query.ts';
import { UploadsCard } from './uploads-card.tsx';
import { VolumeCard } from './volume-card.tsx';

/** The page for administrators with the kept entries of each disk, and the removals by the server. */
export function StoragePage() {
  const { t } = useTranslation('storage');
  const [checks, setChecks] = useState(false);
  const brief = useQuery(storageQuery(false));
  const checked = useQuery({ ...storageQuery(true), enabled: checks });
  const check = () => {
    setChecks(true);
    if (checks) void checked.refetch();
  };
  return (
    <Loaded query={checked.data === undefined ? brief : checked}>
      {(report) => (
        <>
          {report.volumes.map((volume) => (
            <VolumeCard key={volume.place} volume={volume} />
          ))}
          <RetentionCard report={report} />
          <Card
            title={t('check.title')}
            description={t('check.hint')}
            footer={
              <Button isPending={checked.isFetching} onClick={check}>
                {t('check.start')}
              </Button>
            }
          >
            <p role="status">
              {checked.isError
                ? t('check.failed')
                : checked.data !== undefined && !checked.isFetching && checkResult(checked.data, t)}
            </p>
          </Card>
          {report.largestUsers.length > 0 && <UsersCard report={report} />}
          <UploadsCard />
        </>
      )}
    </Loaded>
  );
}

type Translate = ReturnType<typeof useTranslation<'storage'>>['t'];

function checkResult({ volumes }: StorageReport, t: Translate): string {
  const findings = volumes.flatMap(({ check }) =>
    check === null ? [] : [check.withoutRecord + check.withoutEntry + check.damaged],
  );
  return findings.every((count) => count === 0) ? t('check.good') : t('check.bad');
}

function RetentionCard({ report }: { report: StorageReport }) {
  const { t } = useTranslation('storage');
  const days = (count: number) => (count === 0 ? t('noLimit') : t('days', pluralValues(count)));
  return (
    <Card title={t('retention.title')} description={t('retention.hint')}>
      <PropertyList>
        {!report.keepsDeleted && <Property name={t('retention.off')}>{t('retention.offHint')}</Property>}
        <Property name={t('retention.trashDays')}>{days(report.trashDays)}</Property>
        <Property name={t('retention.versionDays')}>{days(report.versionDays)}</Property>
        <Property name={t('retention.keptSize')}>
          {report.keptSize === 0 ? t('noLimit') : formatSize(report.keptSize)}
        </Property>
        <Property name={t('retention.keepAtLeast')}>{formatDuration(report.keepAtLeast)}</Property>
        <Property name={t('retention.nextSweep')}>{formatRelative(Date.parse(report.nextSweep))}</Property>
        {report.expiryHeld.map(({ kind, until }) => (
          <Property key={kind} name={t(`retention.held.${kind}`)} tone="warning">
            {t('retention.heldUntil', { time: formatRelative(Date.parse(until)) })}
          </Property>
        ))}
      </PropertyList>
    </Card>
  );
}

function UsersCard({ report }: { report: StorageReport }) {
  const { t } = useTranslation('storage');
  return (
    <Card title={t('users.title')} description={t('users.hint')}>
      <Table
        label={t('users.title')}
        rows={report.largestUsers}
        rowKey={({ username, entries, bytes }) => username ?? `${entries} ${bytes}`}
        columns={[
          {
            id: 'user',
            header: t('users.name'),
            isRowHeader: true,
            cell: ({ username }) => username ?? t('users.unknown'),
          },
          {
            id: 'entries',
            header: t('users.entries'),
            align: 'end',
            cell: ({ entries }) => formatNumber(entries),
          },
          { id: 'bytes', header: t('users.bytes'), align: 'end', cell: ({ bytes }) => formatSize(bytes) },
        ]}
      />
    </Card>
  );
}
