import { useEffect } from 'react';

/** Reloads `model` when the user returns to the browser's tab. */
export function useReloadOnReturn(model: { reload(): Promise<void> }): void {
  useEffect(() => {
    const onChange = () => {
      if (!document.hidden) void model.reload();
    };
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, [model]);
}
