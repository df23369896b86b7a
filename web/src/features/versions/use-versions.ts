import {
  deleteVersion,
  restoreVersion as restoreEndpoint,
  updateVersion,
  type Version,
  type VersionPage,
  type VersionProperties,
} from '@filestead/contract/endpoints/versions';
import { cancelPurge } from '@filestead/contract/endpoints/trash';
import { parsePath } from '@filestead/contract/paths/virtual-path';
import { useCallback, useEffect, useState } from 'react';
import { call, isAbort } from '../../api/call.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { loadVersions } from './load-versions.ts';
import { restoreVersion } from './restore-version.ts';
import { timeText, versionsText, writtenAt } from './version-texts.ts';
import type { VersionedFile, VersionsHost } from './versions-host.ts';

/** The versions of a file, and the actions on them. Actions throw `ApiError`. */
export interface Versions {
  /** Null while they are loaded for the first time. */
  readonly page: VersionPage | null;
  /** The error of the last attempt to load them; null after a success. */
  readonly failure: unknown;
  reload(): void;
  restore(version: Version): Promise<void>;
  saveCopy(version: Version): Promise<void>;
  change(version: Version, properties: VersionProperties): Promise<void>;
  remove(version: Version): Promise<void>;
}

/** Loads the versions of `file`. */
export function useVersions(file: VersionedFile, host: VersionsHost): Versions {
  const [page, setPage] = useState<VersionPage | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const load = useCallback(
    (signal: AbortSignal) => {
      const show = (loaded: VersionPage) => {
        setPage(loaded);
        setFailure(null);
      };
      const fail = (error: unknown) => {
        if (!isAbort(error) && !signal.aborted) setFailure(error);
      };
      loadVersions(file, signal).then(show, fail);
    },
    [file],
  );
  useEffect(() => {
    const controller = new AbortController();
    load(controller.signal);
    return () => controller.abort();
  }, [load]);
  const reload = () => load(new AbortController().signal);
  const { announceChange, notifyWithUndo } = host;

  return {
    page,
    failure,
    reload,
    async restore(version) {
      await restoreVersion(file, version, host);
    },
    async saveCopy(version) {
      const { path } = await call(restoreEndpoint, { body: { id: version.id, as: 'copy' } });
      const copy = parsePath(path).path;
      announceChange(copy);
      host.reveal(copy);
    },
    async change({ id }, properties) {
      const changed = await call(updateVersion, { params: { id }, body: properties });
      setPage(
        (last) => last && { ...last, versions: last.versions.map((old) => (old.id === id ? changed : old)) },
      );
    },
    async remove(version) {
      const { id } = version;
      await call(deleteVersion, { params: { id } });
      setPage(
        (last) =>
          last && {
            ...last,
            versions: last.versions.filter((old) => old.id !== id),
            total: last.total - 1,
          },
      );
      notifyWithUndo(versionsText('done.deleted'), async () => {
        await call(cancelPurge, { body: { ids: [id] } });
        reload();
        const values = {
          name: isolateBidi(file.name),
          time: timeText(writtenAt(version), Date.now()),
        };
        return versionsText('done.undeleted', values);
      });
    },
  };
}
