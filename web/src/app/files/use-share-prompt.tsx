import { Suspense, type ReactNode } from 'react';
import type { ShareTarget } from '../../features/shares/share-target.ts';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';
import { useTargetDialog } from '../../ui/hooks/use-target-dialog.ts';
import { shareHost } from '../shares/share-host.ts';

const ShareDialog = lazyWithTexts(
  async () => (await import('../../features/shares/dialog/share-dialog.tsx')).ShareDialog,
  'shares',
);

/** The shares of a file or folder, in a dialog that is fetched when it is first opened. Navigation closes it. */
export function useSharePrompt(): { share: (target: ShareTarget) => void; sharePrompt: ReactNode } {
  const { opening, isOpen, open, close } = useTargetDialog<ShareTarget>();
  return {
    share: open,
    sharePrompt: opening && (
      <Suspense fallback={null}>
        <ShareDialog
          key={opening.number}
          target={opening.target}
          host={shareHost}
          isOpen={isOpen}
          onClose={close}
        />
      </Suspense>
    ),
  };
}
