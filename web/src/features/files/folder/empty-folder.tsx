import { useSyncExternalStore } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { FolderPlus, Upload } from '../../../ui/icons.ts';
import type { FolderCommands } from '../actions/actions.ts';
import type { ListingModel } from '../listing/model/listing-model.ts';

interface EmptyFolderProps {
  model: ListingModel;
  canCreate: boolean;
  commands: FolderCommands;
}

/**
 * Shows that the folder is empty, with buttons to add entries if the user may, or that the filter hides all entries.
 */
export function EmptyFolder({ model, canCreate, commands }: EmptyFolderProps) {
  const { t } = useTranslation('files');
  const isFiltered = useSyncExternalStore(model.subscribe, () => model.isFiltered);
  if (isFiltered) return <EmptyState illustration="search" title={t('filter.none')} />;
  if (!canCreate) return <EmptyState illustration="folder" title={t('emptyFolder')} />;
  return (
    <EmptyState
      illustration="folder"
      title={t('emptyFolder')}
      actions={
        <>
          <Button icon={<Upload />} onClick={commands.uploadFiles}>
            {t('actions.uploadFiles')}
          </Button>
          <Button icon={<FolderPlus />} onClick={commands.createFolder}>
            {t('actions.createFolder')}
          </Button>
        </>
      }
    >
      {t('emptyFolderHint')}
    </EmptyState>
  );
}
