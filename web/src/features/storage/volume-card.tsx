import { purgeReasons, type StorageVolume } from '@filestead/contract/endpoints/storage';
import {
  formatList,
  formatNumber,
  formatPercent,
  formatRelative,
  formatSize,
  pluralValues,
} from '../../i18n/format.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Card } from '../../ui/card.tsx';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { Property, PropertyList } from './property-list.tsx';

/** The card of a disk: its capacity, the kept entries, and the last removal by the server. */
export function VolumeCard({ volume }: { volume: StorageVolume }) {
  const { t } = useTranslation('storage');
  const { place, total, free, keepFree, names, problem } = volume;
  const title = place === '/' ? t('volume.root') : isolateBidi(place);
  const isLow = free < keepFree;
  const amount = ({ entries, bytes }: { entries: number; bytes: number }) =>
    t('volume.amount', { ...pluralValues(entries), size: formatSize(bytes) });
  return (
    <Card title={title}>
      {total > 0 && (
        <ProgressBar
          label={t('volume.used')}
          value={(total - free) / total}
          tone={isLow ? 'warning' : 'accent'}
          size="medium"
        />
      )}
      <PropertyList>
        {problem !== null && (
          <Property name={t('volume.problem')} tone="warning">
            {t(problem === 'store_missing' ? 'brake.store_missing' : `problem.${problem}`)}
          </Property>
        )}
        {total > 0 && (
          <Property name={t('volume.free')} tone={isLow ? 'warning' : undefined}>
            {t('volume.freeOf', { free: formatSize(free), total: formatSize(total) })}
          </Property>
        )}
        {names !== null && names.total > 0 && (
          <Property name={t('volume.names')}>
            {t('volume.namesFree', {
              number: formatNumber(names.free),
              percent: formatPercent(names.free / names.total),
            })}
          </Property>
        )}
        <Property name={t('volume.keepFree')}>{formatSize(keepFree)}</Property>
        <Property name={t('volume.deleted')}>{amount(volume.deleted)}</Property>
        <Property name={t('volume.versions')}>{amount(volume.versions)}</Property>
        {volume.leaving.entries > 0 && (
          <Property name={t('volume.leaving')}>{amount(volume.leaving)}</Property>
        )}
        <Property name={t('volume.reclaimable')}>{formatSize(volume.reclaimable)}</Property>
        {volume.oldest !== null && (
          <Property name={t('volume.oldest')}>{formatRelative(Date.parse(volume.oldest))}</Property>
        )}
        <Property name={t('volume.store')}>
          <code>{isolateBidi(place === '/' ? '/.filestead-trash' : `${place}/.filestead-trash`)}</code>
        </Property>
        <Removals volume={volume} />
        <CheckProperties volume={volume} />
      </PropertyList>
    </Card>
  );
}

function Removals({ volume: { lastPurge, brake } }: { volume: StorageVolume }) {
  const { t } = useTranslation('storage');
  const reasons = purgeReasons.flatMap((reason) => {
    const count = lastPurge?.reasons[reason] ?? 0;
    return count === 0 ? [] : [t(`reason.${reason}`, pluralValues(count))];
  });
  return (
    <>
      <Property name={t('volume.lastPurge')}>
        {lastPurge === null
          ? t('volume.noPurge')
          : t('volume.purge', {
              ...pluralValues(lastPurge.entries),
              time: formatRelative(Date.parse(lastPurge.at)),
              size: formatSize(lastPurge.bytes),
              cause: t(`cause.${lastPurge.cause}`),
              reasons: formatList(reasons),
            })}
      </Property>
      {brake !== null && (
        <Property name={t('volume.brake')} tone={brake.kind === 'starting' ? undefined : 'warning'}>
          {t(`brake.${brake.kind}`)}{' '}
          {t('volume.brakeUntil', { time: formatRelative(Date.parse(brake.until)) })}
        </Property>
      )}
    </>
  );
}

function CheckProperties({ volume: { check } }: { volume: StorageVolume }) {
  const { t } = useTranslation('storage');
  if (check === null) return null;
  const { withoutRecord, withoutEntry, damaged, foreign } = check;
  return (
    <>
      {withoutRecord > 0 && (
        <Property name={t('volume.withoutRecord')} tone="warning">
          {formatNumber(withoutRecord)}
        </Property>
      )}
      {withoutEntry > 0 && (
        <Property name={t('volume.withoutEntry')} tone="warning">
          {formatNumber(withoutEntry)}
        </Property>
      )}
      {damaged > 0 && (
        <Property name={t('volume.damaged')} tone="warning">
          {formatNumber(damaged)}
        </Property>
      )}
      {foreign > 0 && (
        <Property name={t('volume.foreign')}>{t('volume.foreignHint', pluralValues(foreign))}</Property>
      )}
    </>
  );
}
