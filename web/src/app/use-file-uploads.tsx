import type { VirtualPath } from '@filestead/contract/virtual-path';
import { useMemo, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { collectChosen } from '../features/uploads/collect-chosen.ts';
import { collectDropped } from '../features/uploads/collect-dropped.ts';
import { uploadQueue } from '../features/uploads/own-queue.ts';
import type { CollectedItems } from '../features/uploads/upload-item.ts';
import { formatNumber } from '../i18n/format.ts';
import { showToast } from '../ui/toast.ts';

export interface FileUploads {
  /** Opens the browser's picker. */
  choose: (kind: 'files' | 'folder') => void;
  /** Must be called within the drop event. */
  drop: (destination: VirtualPath, data: DataTransfer) => void;
  /** Has to be rendered; shows nothing. */
  inputs: ReactNode;
}

/** The ways by which files of the user's machine get into the upload queue; `folder` receives what is chosen. */
export function useFileUploads(folder: VirtualPath, canReplace: boolean): FileUploads {
  const { t } = useTranslation('uploads');
  const files = useRef<HTMLInputElement>(null);
  const folders = useRef<HTMLInputElement>(null);
  const latest = useRef({ folder, canReplace });
  latest.current = { folder, canReplace };

  return useMemo(() => {
    const add = ({ items, unreadable }: CollectedItems, destination: VirtualPath) => {
      const [first] = unreadable;
      if (first !== undefined) {
        const count = unreadable.length;
        const message = t('unreadable', { count, number: formatNumber(count), name: first });
        showToast({ tone: 'error', message });
      }
      void uploadQueue.enqueue({ destination, items, canReplace: latest.current.canReplace });
    };
    const input = (kind: 'files' | 'folder') => (
      <input
        ref={kind === 'files' ? files : folders}
        type="file"
        multiple
        hidden
        data-upload={kind}
        {...(kind === 'folder' && { webkitdirectory: '' })}
        onChange={({ currentTarget }) => {
          // Copied before the field is emptied, so that the same file can be chosen again.
          const chosen = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          add(collectChosen(chosen), latest.current.folder);
        }}
      />
    );
    return {
      choose: (kind) => (kind === 'files' ? files : folders).current?.click(),
      drop: (destination, data) => {
        // The browser empties the transfer when the event is over, so it is read at once.
        void collectDropped(data).then((collected) => add(collected, destination));
      },
      inputs: (
        <>
          {input('files')}
          {input('folder')}
        </>
      ),
    };
  }, [t]);
}
