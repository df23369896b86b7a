import type { DetailsPart } from '../../features/files/folder/folder-host.ts';
import { EntryActivity } from '../history/entry-activity.tsx';
import { EntryTags } from './entry-tags.tsx';
import { FavoriteButton } from './favorite-button.tsx';

/** Renders a part of the details of entries. */
export function EntryPart({ kind, paths, isFolder, onChange }: DetailsPart) {
  const [path] = paths;
  if (path === undefined) return null;
  if (kind === 'activity') return <EntryActivity key={path} path={path} isFolder={isFolder} />;
  if (kind === 'tags') return <EntryTags paths={paths} onEdit={onChange} />;
  return <FavoriteButton path={path} onToggle={onChange} />;
}
