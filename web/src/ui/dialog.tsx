import { dialogOverlay } from './dialog-parts.ts';
import type { DialogProps } from './dialog-props.ts';
import { EventBarrier } from './event-barrier.tsx';
import { useLazyPart } from './lazy-part.ts';
import { TriggerContext } from './trigger-context.ts';
import { useEver } from './use-ever.ts';

export type { DialogProps } from './dialog-props.ts';

/** A modal dialog; on the phone a sheet from the bottom. Its children are only rendered while it is open. */
export function Dialog(props: DialogProps) {
  const wasOpened = useEver(props.isOpen);
  const parts = useLazyPart(dialogOverlay, wasOpened, props.onClose);
  if (parts === null || !wasOpened) return null;
  return (
    <EventBarrier>
      <TriggerContext value={null}>
        <parts.DialogOverlay {...props} />
      </TriggerContext>
    </EventBarrier>
  );
}
