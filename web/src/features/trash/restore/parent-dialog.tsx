import { getTrashItem, type TrashItem } from '@filestead/contract/endpoints/trash';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { call } from '../../../api/call.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import type { ParentQuestion, RestoreTargets } from '../trash-targets.ts';
import { restoreItems } from './restore-items.ts';

interface ParentDialogProps {
  /** Null while the dialog is closed. */
  question: ParentQuestion | null;
  targets: RestoreTargets;
  onClose: () => void;
}

/** Asks whether to restore an item alone or its folder, which is in the trash too. */
export function ParentDialog({ question, targets, onClose }: ParentDialogProps) {
  const { t } = useTranslation('trash');
  const { model } = targets;
  const [last, setLast] = useState(question);
  if (question !== null && question !== last) setLast(question);
  const isOpen = question !== null;
  const parent = useParent(last?.parentId ?? null, isOpen, model.item.bind(model));
  const restore = (item: TrashItem) => {
    onClose();
    void restoreItems([item], null, targets);
  };
  if (last === null) return null;
  return (
    <Dialog
      title={t('parent.title', { name: isolateBidi(last.item.name) })}
      isOpen={isOpen}
      onClose={onClose}
      onSubmit={() => restore(parent ?? last.item)}
      footer={
        <>
          <Button onClick={() => restore(last.item)}>{t('parent.itemOnly')}</Button>
          <Button variant="primary" type="submit" autoFocus isDisabled={parent?.canRestore !== true}>
            {t('parent.folder')}
          </Button>
        </>
      }
    >
      {parent && t('parent.text', { folder: isolateBidi(parent.name) })}
    </Dialog>
  );
}

/** Returns the deleted folder with the id `id`: from the list, else, while the dialog is open, from the server; null until it is known. */
function useParent(
  id: string | null,
  isOpen: boolean,
  find: (id: string) => TrashItem | null,
): TrashItem | null {
  const [loaded, setLoaded] = useState<TrashItem | null>(null);
  const listed = id === null ? null : find(id);
  const isListed = listed !== null;
  useEffect(() => {
    if (id === null || !isOpen || isListed) return undefined;
    const controller = new AbortController();
    // Without it the dialog still restores the item alone.
    call(getTrashItem, { params: { id }, signal: controller.signal }).then(setLoaded, () => undefined);
    return () => controller.abort();
  }, [id, isOpen, isListed]);
  return listed ?? (loaded?.id === id ? loaded : null);
}
