import { dialogOverlay } from './lazy-dialog-overlay.ts';
import type { DialogProps } from './dialog-props.ts';
import { EventBarrier } from './event-barrier.tsx';
import { useLazyPart } from './lazy-part.ts';
import { TriggerContext } from './trigger-context.ts';
import { useOpeningCount } from './use-opening-count.ts';

export type { DialogProps } from './dialog-props.ts';

/** A modal dialog; on the phone a sheet from the bottom. Its children are only rendered while it is open. */
export function Dialog(props: DialogProps) {
  const openings = useOpeningCount(props.isOpen);
  const parts = useLazyPart(dialogOverlay, openings > 0, props.onClose);
  if (parts === null || openings === 0) return null;
  return (
    <EventBarrier>
      <TriggerContext value={null}>
        {/* A dialog opened again while it still fades away begins anew: the fading one neither takes the focus nor stays. */}
        <parts.DialogOverlay key={openings} {...props} />
      </TriggerContext>
    </EventBarrier>
  );
}
