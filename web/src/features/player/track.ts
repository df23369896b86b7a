import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/** A recording that the small player plays. */
export interface Track {
  readonly path: VirtualPath;
  readonly name: string;
  readonly kind: 'audio' | 'video';
  /** In bytes. */
  readonly size: number;
  /** The address of the file. */
  readonly url: string;
  /** The address of the cover or of a frame; null if the file has none. */
  readonly coverUrl: string | null;
}

/** Whether a value that was read from the browser's storage is a track. */
export function isTrack(value: unknown): value is Track {
  if (typeof value !== 'object' || value === null) return false;
  const { path, name, kind, size, url, coverUrl } = value as Partial<Record<keyof Track, unknown>>;
  return (
    typeof path === 'string' &&
    typeof name === 'string' &&
    (kind === 'audio' || kind === 'video') &&
    typeof size === 'number' &&
    typeof url === 'string' &&
    url.startsWith('/') &&
    (coverUrl === null || (typeof coverUrl === 'string' && coverUrl.startsWith('/')))
  );
}
