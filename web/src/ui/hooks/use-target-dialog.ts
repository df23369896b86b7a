import { useCallback, useState } from 'react';
import { useLocation } from '../navigation/router.tsx';

/** The state of a dialog about a target, such as the shares of a file. */
interface TargetDialog<Target> {
  /** The last opening, which stays while the dialog closes; null before the first one. The number increases with each. */
  readonly opening: { readonly number: number; readonly target: Target } | null;
  readonly isOpen: boolean;
  readonly open: (target: Target) => void;
  readonly close: () => void;
}

/** Keeps the state of a dialog that navigation closes. */
export function useTargetDialog<Target>(): TargetDialog<Target> {
  const { pathname } = useLocation();
  const [opening, setOpening] = useState<TargetDialog<Target>['opening']>(null);
  /** The address at which the dialog is open. */
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = useCallback(
    (target: Target) => {
      setOpening((last) => ({ number: (last?.number ?? 0) + 1, target }));
      setOpenAt(pathname);
    },
    [pathname],
  );
  const close = useCallback(() => setOpenAt(null), []);
  return { opening, isOpen: openAt === pathname, open, close };
}
