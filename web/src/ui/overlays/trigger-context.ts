import {
  createContext,
  type AriaAttributes,
  type KeyboardEvent,
  type MouseEvent,
  type RefCallback,
} from 'react';

/**
 * The properties that an overlay adds to the button that opens it. `Button` and `IconButton` read them from this context.
 */
export interface TriggerProps extends Pick<
  AriaAttributes,
  'aria-haspopup' | 'aria-expanded' | 'aria-controls'
> {
  id: string;
  ref: RefCallback<HTMLButtonElement>;
  onClick(event: MouseEvent<HTMLButtonElement>): void;
  onKeyDown(event: KeyboardEvent<HTMLButtonElement>): void;
  onPointerEnter(): void;
}

export const TriggerContext = createContext<TriggerProps | null>(null);
