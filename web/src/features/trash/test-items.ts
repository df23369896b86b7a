import type { TrashItem } from '@filestead/contract/endpoints/trash';

/** Creates a deleted file for tests. */
export function trashItem(name: string, change: Partial<TrashItem> = {}): TrashItem {
  return {
    id: name
      .padEnd(22, '_')
      .slice(0, 22)
      .replaceAll(/[^A-Za-z0-9_-]/gu, '-'),
    name,
    path: `/Projects/${name}`,
    isDir: false,
    size: 1000,
    type: 'blob',
    modified: '2026-01-02T03:04:05Z',
    deletedAt: '2026-11-20T10:00:00Z',
    deletedBy: 'ada',
    expiresAt: '2026-12-20T10:00:00Z',
    canRestore: true,
    canPurge: true,
    parentInTrash: null,
    ...change,
  };
}
