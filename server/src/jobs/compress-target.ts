import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { ArchiveFormat } from '@filestead/contract/values/archive-formats';

/** The archive that a compression creates. */
export interface CompressTarget {
  readonly to: VirtualPath;
  readonly format: ArchiveFormat;
  /** Whether to use the next free name when the archive exists. */
  readonly picksFreeName: boolean;
}
