import { lazy, Suspense } from 'react';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }));

/** A QR code whose generator is fetched on first use. */
export function LazyQrCode({ address }: { address: string }) {
  return (
    <Suspense fallback={<Skeleton width="234px" height="234px" />}>
      <QrCode address={address} />
    </Suspense>
  );
}
