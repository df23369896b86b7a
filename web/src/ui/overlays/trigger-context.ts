import {
  createContext,
  type AriaAttributes,
  type KeyboardEvent,
  type MouseEvent,
  type RefCallback,
} from 'react';

/** What an overlay adds to the button that opens it. Button and IconButton take it from here. */
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
