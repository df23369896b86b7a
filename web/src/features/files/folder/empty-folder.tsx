import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { FolderPlus, Upload } from '../../../ui/icons.ts';
import type { FolderCommands } from '../actions/actions.ts';

/** Shows an empty folder, with buttons to fill it if the user may create entries. */
export function EmptyFolder({ canCreate, commands }: { canCreate: boolean; commands: FolderCommands }) {
  const { t } = useTranslation('files');
  if (!canCreate) return <EmptyState illustration="folder" title={t('emptyFolder')} />;
  return (
    <EmptyState
      illustration="folder"
      title={t('emptyFolder')}
      actions={
        <>
          <Button icon={<Upload />} onClick={commands.uploadFiles}>
            {t('upload')}
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
