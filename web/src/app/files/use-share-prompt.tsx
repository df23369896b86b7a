import { Suspense, useCallback, useState, type ReactNode } from 'react';
import { useLocation } from '../../ui/navigation/router.tsx';
import type { ShareTarget } from '../../features/shares/share-target.ts';
import { lazyWithTexts } from '../../i18n/lazy-with-texts.ts';
import { shareHost } from '../shares/share-host.ts';

const ShareDialog = lazyWithTexts(
  async () => (await import('../../features/shares/dialog/share-dialog.tsx')).ShareDialog,
  'shares',
);

/** The shares of a file or folder, in a dialog that is fetched when it is first opened. Navigation closes it. */
export function useSharePrompt(): { share: (target: ShareTarget) => void; sharePrompt: ReactNode } {
  const { pathname } = useLocation();
  const [opening, setOpening] = useState<{ number: number; target: ShareTarget } | null>(null);
  /** The address at which the dialog is open. */
  const [openAt, setOpenAt] = useState<string | null>(null);
  const share = useCallback(
    (target: ShareTarget) => {
      setOpening((last) => ({ number: (last?.number ?? 0) + 1, target }));
      setOpenAt(pathname);
    },
    [pathname],
  );
  const close = useCallback(() => setOpenAt(null), []);
  return {
    share,
    sharePrompt: opening && (
      <Suspense fallback={null}>
        <ShareDialog
          key={opening.number}
          target={opening.target}
          host={shareHost}
          isOpen={openAt === pathname}
          onClose={close}
        />
      </Suspense>
    ),
  };
}
