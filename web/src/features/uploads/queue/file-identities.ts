import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { pathBelow } from '../collecting/plan-batch.ts';
import type { UploadItem } from '../collecting/upload-item.ts';
import type { FileIdentity } from './upload-job.ts';

/** Returns the files among `items` whose paths are valid, with their identities below `destination`. */
export const identitiesOf = (
  destination: VirtualPath,
  items: readonly UploadItem[],
): { item: UploadItem; identity: FileIdentity }[] =>
  items.flatMap((item) => {
    const path = item.kind === 'file' ? pathBelow(destination, item.relativePath) : null;
    if (item.kind !== 'file' || path === null) return [];
    return [{ item, identity: { path, size: item.file.size, modifiedMs: item.file.lastModified } }];
  });
