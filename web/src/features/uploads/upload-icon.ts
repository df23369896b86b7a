import type { FileIconKind } from '../../ui/names/file-icon.tsx';
import type { UploadJob } from './queue/upload-job.ts';

/** Returns the icon of an upload, by the media type that the browser guessed. */
export function uploadIconKind({ kind, mediaType }: Pick<UploadJob, 'kind' | 'mediaType'>): FileIconKind {
  if (kind === 'folder') return 'folder';
  if (mediaType === 'application/pdf') return 'pdf';
  const [group] = mediaType.split('/');
  if (group === 'image' || group === 'audio' || group === 'video' || group === 'text') return group;
  if (/zip|compressed|x-tar|x-7z|x-rar/.test(mediaType)) return 'archive';
  return 'other';
}
