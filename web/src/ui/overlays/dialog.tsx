import { dialogOverlay } from './lazy-dialog-overlay.ts';
import type { DialogProps } from './dialog-props.ts';
import { EventBarrier } from './event-barrier.tsx';
import { useLazyPart } from './lazy-part.ts';
import { TriggerContext } from './trigger-context.ts';
import { useOpeningCount } from './use-opening-count.ts';

export type { DialogProps } from './dialog-props.ts';

/** A modal dialog; on the phone a sheet at the bottom. Its children are rendered only while it is open. */
export function Dialog(props: DialogProps) {
  const openings = useOpeningCount(props.isOpen);
  const parts = useLazyPart(dialogOverlay, openings > 0, props.onClose);
  if (parts === null || openings === 0) return null;
  return (
    <EventBarrier>
      <TriggerContext value={null}>
        {/* A dialog that is opened again while it is fading out starts again: the old one neither takes the focus nor
            remains. */}
        <parts.DialogOverlay key={openings} {...props} />
      </TriggerContext>
    </EventBarrier>
  );
}
