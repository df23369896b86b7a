import { useLayoutEffect, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import {
  removeTraySection,
  setTraySummary,
  traySections,
  useTray,
  type TraySectionId,
  type TraySummary,
} from './tray-store.ts';

interface TraySectionProps extends TraySummary {
  id: TraySectionId;
  /** The accessible name. */
  label: string;
  /** Buttons of the header. They are shown while this is the first section. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of the tray, which is shown in its card while this component is rendered, wherever that is. */
export function TraySection({ id, label, actions, children, ...summary }: TraySectionProps) {
  const { title, shortTitle, progress, isBusy, isWaiting, size, alerts } = summary;
  const slot = useTray(({ slots }) => slots[id]);
  const actionsSlot = useTray(({ slots, summaries }) =>
    traySections.find((section) => summaries[section] !== undefined) === id ? slots.actions : undefined,
  );
  useLayoutEffect(() => {
    setTraySummary(id, { title, shortTitle, progress, isBusy, isWaiting, size, alerts });
  }, [id, title, shortTitle, progress, isBusy, isWaiting, size, alerts]);
  useLayoutEffect(() => () => removeTraySection(id), [id]);
  return (
    <>
      {actionsSlot && createPortal(actions, actionsSlot)}
      {slot &&
        createPortal(
          <div role="group" aria-label={label}>
            {children}
          </div>,
          slot,
        )}
    </>
  );
}
