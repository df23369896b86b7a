import { lazy, Suspense } from 'react';
import type { ErrorScreenProps } from '../frame/error-screen.tsx';

const FramedErrorScreen = lazy(async () => ({
  default: (await import('../frame/framed-error-screen.tsx')).FramedErrorScreen,
}));

/** An error screen at an address of its own, whose code is loaded on demand. */
export const FramedError = (props: ErrorScreenProps) => (
  <Suspense fallback={null}>
    <FramedErrorScreen {...props} />
  </Suspense>
);
