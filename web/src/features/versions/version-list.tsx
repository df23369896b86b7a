import type { Version, VersionPage } from '@filestead/contract/endpoints/versions';
import { useState, type KeyboardEvent } from 'react';
import { formatSize } from '../../i18n/format.ts';
import { displayName } from '../../i18n/display-name.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Lock } from '../../ui/icons.ts';
import { Avatar } from '../../ui/names/avatar.tsx';
import { changeText, sectionOf, timeText, type VersionSection, writtenAt } from './version-texts.ts';
import styles from './version-list.module.css';
import type { VersionedFile } from './versions-host.ts';

interface VersionListProps {
  file: VersionedFile;
  page: VersionPage;
  /** The id of the selected version; null for the current state. */
  selected: string | null;
  onSelect: (id: string | null) => void;
}

/** A row of the list. */
interface Row {
  /** Null for the current state. */
  readonly version: Version | null;
  readonly section: VersionSection;
  readonly title: string;
  readonly text: string;
  readonly author: string | null;
  /** Absent for a state whose bytes are not kept, because the next one has the same. */
  readonly size?: number;
  /** Whether another program has changed the file in this state. */
  readonly isChangedOutside: boolean;
}

function rowsOf(file: VersionedFile, page: VersionPage, now: string, nowMs: number): Row[] {
  const presentMs = page.written === null ? file.modifiedMs : Date.parse(page.written.at);
  const present: Row = {
    version: null,
    section: sectionOf(presentMs, nowMs),
    title: now,
    text: `${changeText(page.written)} · ${timeText(presentMs, nowMs)}`,
    author: page.written?.by ?? null,
    size: file.size,
    isChangedOutside: page.isChangedOutside,
  };
  const rows = page.versions.map((version): Row => {
    const atMs = writtenAt(version);
    return {
      version,
      section: sectionOf(atMs, nowMs),
      title: timeText(atMs, nowMs),
      text: changeText(version.written),
      author: version.written?.by ?? null,
      ...(!version.isUnchanged && { size: version.size }),
      isChangedOutside: version.isChangedOutside,
    };
  });
  return [present, ...rows];
}

/** Whether the content of a state is kept, so that it can be looked at. */
const isSelectable = ({ version }: Row): boolean => version?.isUnchanged !== true;

/** Lists the states of a file, the current one first. The arrow keys select. */
export function VersionList({ file, page, selected, onSelect }: VersionListProps) {
  const { t } = useTranslation('versions');
  const [nowMs] = useState(Date.now);
  const rows = rowsOf(file, page, t('now'), nowMs);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const shown = rows.filter(isSelectable);
    const index = shown.findIndex(({ version }) => (version?.id ?? null) === selected);
    const next = Math.min(Math.max(index + step, 0), shown.length - 1);
    onSelect(shown[next]?.version?.id ?? null);
    const options = event.currentTarget.querySelectorAll<HTMLElement>('[role=option]:not([aria-disabled])');
    options[next]?.focus();
  };
  return (
    <div
      className={styles.list}
      role="listbox"
      tabIndex={-1}
      aria-label={t('listLabel')}
      onKeyDown={onKeyDown}
    >
      {rows.map((row, index) => {
        const id = row.version?.id ?? null;
        const isSelected = id === selected;
        const isFirst = rows[index - 1]?.section !== row.section;
        return (
          <div key={id ?? ''} role="presentation">
            {isFirst && (
              <div className={styles.section} role="presentation">
                {t(`sections.${row.section}`)}
              </div>
            )}
            <div
              className={styles.row}
              role="option"
              aria-selected={isSelected}
              aria-disabled={!isSelectable(row) || undefined}
              tabIndex={isSelected ? 0 : -1}
              onClick={() => isSelectable(row) && onSelect(id)}
              onKeyDown={({ key }) => {
                if (key === 'Enter' && isSelectable(row)) onSelect(id);
              }}
            >
              <Avatar name={row.author ?? '?'} />
              <div className={styles.texts}>
                <div className={styles.title}>
                  {row.title}
                  {row.version?.keepForever && (
                    <span className={styles.kept} title={t('keptForever')}>
                      <Lock />
                      <span className="visually-hidden">{t('keptForever')}</span>
                    </span>
                  )}
                </div>
                <div className={styles.text}>{row.text}</div>
                {row.version?.isUnchanged && (
                  <div className={styles.text}>
                    {t(`unchanged.${row.version.replaced.act === 'upload' ? 'upload' : 'other'}`)}
                  </div>
                )}
                {row.isChangedOutside && <div className={styles.text}>{t('changedOutside')}</div>}
                {row.version !== null && row.version.name !== file.name && (
                  <div className={styles.text}>
                    {t('formerName', { name: displayName(row.version.name) })}
                  </div>
                )}
                {row.version?.label && <bdi className={styles.label}>{row.version.label}</bdi>}
              </div>
              {row.size !== undefined && <span className={styles.size}>{formatSize(row.size)}</span>}
            </div>
          </div>
        );
      })}
    </div>
  );
}
