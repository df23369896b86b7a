import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { pathBelow } from '../collecting/plan-batch.ts';
import type { UploadItem } from '../collecting/upload-item.ts';
import type { FileIdentity } from './upload-job.ts';

/**
 * Returns the files among `items` whose paths are valid, with their identities below `destination`. Size and time are read when they
 * are used: for each file that was chosen, a browser may have to ask another process.
 */
export const identitiesOf = (
  destination: VirtualPath,
  items: readonly UploadItem[],
): { item: UploadItem; identity: FileIdentity }[] =>
  items.flatMap((item) => {
    const path = item.kind === 'file' ? pathBelow(destination, item.relativePath) : null;
    if (item.kind !== 'file' || path === null) return [];
    const { file } = item;
    const identity: FileIdentity = {
      path,
      get size() {
        return file.size;
      },
      get modifiedMs() {
        return file.lastModified;
      },
    };
    return [{ item, identity }];
  });
