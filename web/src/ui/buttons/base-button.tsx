import { useCallback, useContext, type ComponentPropsWithRef } from 'react';
import { TriggerContext } from '../overlays/trigger-context.ts';

export interface BaseButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'disabled'> {
  isDisabled?: boolean | undefined;
  /** The action is running: the button keeps its focus and ignores presses. */
  isPending?: boolean | undefined;
}

/** A native button, connected to the menu that it opens, if any. */
export function BaseButton({
  isDisabled,
  isPending,
  ref,
  onClick,
  onKeyDown,
  onPointerEnter,
  ...props
}: BaseButtonProps) {
  const trigger = useContext(TriggerContext);
  const attach = useCallback(
    (element: HTMLButtonElement | null) => {
      trigger?.ref(element);
      if (typeof ref === 'function') ref(element);
      else if (ref) ref.current = element;
    },
    [trigger, ref],
  );
  return (
    <button
      type="button"
      {...(trigger && {
        id: trigger.id,
        'aria-haspopup': trigger['aria-haspopup'],
        'aria-expanded': trigger['aria-expanded'],
        'aria-controls': trigger['aria-controls'],
      })}
      {...props}
      ref={attach}
      disabled={isDisabled}
      aria-disabled={isPending || undefined}
      aria-busy={isPending || undefined}
      onClick={(event) => {
        if (isPending) {
          event.preventDefault();
          return;
        }
        onClick?.(event);
        if (!event.defaultPrevented) trigger?.onClick(event);
      }}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (!event.defaultPrevented) trigger?.onKeyDown(event);
      }}
      onPointerEnter={(event) => {
        onPointerEnter?.(event);
        trigger?.onPointerEnter();
      }}
    />
  );
}
