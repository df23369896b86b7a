import { getMap, type MapResult } from '@filestead/contract/endpoints/find';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useCallback } from 'react';
import { call } from '../../../api/call.ts';
import { isCatalogueOn, recordCatalogueOff } from '../../../api/catalogue.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { formatDate, formatSize } from '../../../i18n/format.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import { fileKind } from '../../../ui/names/file-kind.ts';
import { LongName } from '../../../ui/names/long-name.tsx';
import { useReady } from '../../../ui/hooks/use-loaded.ts';
import { oldSizeMs } from '../listing/rows/entry-texts.tsx';
import styles from './details-panel.module.css';

/** The number of entries that are listed. */
const maxLargest = 5;

/** The largest entries in a folder, where the server knows them; otherwise nothing. */
export function LargestEntries({ path }: { path: VirtualPath }) {
  const { t } = useTranslation('files');
  const loaded = useMap(path);
  const rows = loaded?.map.rows.filter(({ bytes }) => bytes > 0) ?? [];
  if (rows.length === 0) return null;
  return (
    <section className={styles.largest} aria-label={t('details.largest')}>
      <h3>{t('details.largest')}</h3>
      <ul>
        {rows.map(({ path: name, dir, bytes }) => (
          <li key={name}>
            <FileIcon kind={fileKind({ name, type: dir ? '' : 'blob', isFolder: dir })} size={18} />
            <LongName name={displayName(name)} />
            <span className={styles.exact}>{formatSize(bytes)}</span>
          </li>
        ))}
      </ul>
      {loaded?.oldAtMs !== undefined && (
        <p className={styles.exact}>{t('details.asOf', { time: formatDate(loaded.oldAtMs) })}</p>
      )}
    </section>
  );
}

interface LoadedMap {
  readonly map: MapResult;
  /** Unix milliseconds: when the sizes were compared with the disk, if that is long ago. */
  readonly oldAtMs: number | undefined;
}

/** Returns the largest entries of a folder; null while they are unknown. */
function useMap(path: VirtualPath): LoadedMap | null {
  const load = useCallback((signal: AbortSignal) => loadMap(path, signal), [path]);
  return useReady(isCatalogueOn() ? load : null);
}

async function loadMap(path: VirtualPath, signal: AbortSignal): Promise<LoadedMap> {
  const query = { depth: '1', limit: String(maxLargest) };
  const map = await call(getMap, { path, isFolder: true, query, signal }).catch((error: unknown) => {
    recordCatalogueOff(error);
    throw error;
  });
  const checkedAtMs = map.checkedAt === null ? Date.now() : Date.parse(map.checkedAt);
  return { map, oldAtMs: Date.now() - checkedAtMs > oldSizeMs ? checkedAtMs : undefined };
}
