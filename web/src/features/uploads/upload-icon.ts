import type { FileIconKind } from '../../ui/names/file-icon.tsx';
import { fileKind } from '../../ui/names/file-kind.ts';
import type { UploadJob } from './queue/upload-job.ts';

/** Returns the icon of an upload: as the listing shows it, or for an unknown name by the media type that the browser guessed. */
export function uploadIconKind({
  kind,
  mediaType,
  name,
}: Pick<UploadJob, 'kind' | 'mediaType' | 'name'>): FileIconKind {
  const known = fileKind({ name, type: 'blob', isFolder: kind === 'folder' });
  if (known !== 'other') return known;
  const [group] = mediaType.split('/');
  if (group === 'image' || group === 'audio' || group === 'video' || group === 'text') return group;
  return 'other';
}
