import type { DuplicateFile, DuplicateGroup } from '@filestead/contract/endpoints/duplicates';
import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { ReactNode } from 'react';
import { displayName } from '../../../i18n/display-name.ts';
import { formatDate, formatSize, pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { locationText } from '../../../i18n/path-text.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import { fileKind } from '../../../ui/names/file-kind.ts';
import { LongName } from '../../../ui/names/long-name.tsx';
import { canSelect } from './choose-duplicates.ts';
import styles from './duplicate-groups.module.css';

interface DuplicateGroupsProps {
  groups: readonly DuplicateGroup[];
  selected: ReadonlySet<string>;
  /** Null for users who may not delete. */
  onSelect: ((selected: ReadonlySet<string>) => void) | null;
  /** Renders a link that shows a file in its folder. */
  renderLink: (path: VirtualPath, children: ReactNode) => ReactNode;
}

/** Groups of files with equal contents. All files of a group but one can be selected. */
export function DuplicateGroups({ groups, selected, onSelect, renderLink }: DuplicateGroupsProps) {
  const { t } = useTranslation('space');
  const toggle = (path: string, isSelected: boolean) => {
    const next = new Set(selected);
    if (isSelected) next.add(path);
    else next.delete(path);
    onSelect?.(next);
  };
  return (
    <ul className={styles.groups}>
      {groups.map((group) => {
        const { size, checksum, files } = group;
        return (
          <li key={`${size} ${checksum}`} className={styles.group}>
            <h3 className={styles.header}>
              <span>{t('duplicates.group', { ...pluralValues(files.length), size: formatSize(size) })}</span>
              <span className={styles.freed}>
                {t('duplicates.frees', { size: formatSize(size * (files.length - 1)) })}
              </span>
            </h3>
            <ul className={styles.files}>
              {files.map((file) => (
                <li
                  key={file.path}
                  className={styles.file}
                  data-selected={selected.has(file.path) || undefined}
                >
                  {onSelect && (
                    <Checkbox
                      className={styles.choice}
                      aria-label={t('duplicates.select', {
                        name: isolateBidi(nameOf(file.path as VirtualPath)),
                        folder: locationText(file.path as VirtualPath, t('duplicates.root')),
                      })}
                      isSelected={selected.has(file.path)}
                      isDisabled={!canSelect(group, selected, file.path)}
                      onChange={(isSelected) => toggle(file.path, isSelected)}
                    />
                  )}
                  <File file={file} renderLink={renderLink} />
                </li>
              ))}
            </ul>
          </li>
        );
      })}
    </ul>
  );
}

function File({ file, renderLink }: { file: DuplicateFile } & Pick<DuplicateGroupsProps, 'renderLink'>) {
  const { t } = useTranslation('space');
  const path = file.path as VirtualPath;
  const name = nameOf(path);
  return (
    <>
      <FileIcon kind={fileKind({ name, type: file.type, isFolder: false })} size={18} />
      <span className={styles.name}>{renderLink(path, <LongName name={displayName(name)} />)}</span>
      <span className={styles.folder} data-own-text="">
        {locationText(path, t('duplicates.root'))}
      </span>
      <time className={styles.date} dateTime={file.modified}>
        {formatDate(Date.parse(file.modified))}
      </time>
    </>
  );
}
