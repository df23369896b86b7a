import { useEffect, useRef, useState } from 'react';
import { createResettableTimer } from '../../../ui/hooks/resettable-timer.ts';

/** The delay after the last key press before a typed option is saved, in ms. */
const idleMs = 1500;

/** An option that is typed, and saved when the user pauses, presses Enter or leaves the field. */
export interface TypedOption {
  readonly text: string;
  /** Whether the user has changed the text since the last {@link TypedOption.reset}. */
  readonly isTyped: boolean;
  readonly set: (text: string) => void;
  /** Saves the text, if it has not been saved yet. Resolves to whether it is saved. */
  readonly commit: () => Promise<boolean>;
  readonly reset: () => void;
}

/** Manages a typed option. `save` returns whether the input was saved; input that is refused stays in the field. */
export function useTypedOption(initial: string, save: (text: string) => Promise<boolean>): TypedOption {
  const [text, setText] = useState(initial);
  const [isTyped, setTyped] = useState(false);
  const [timer] = useState(createResettableTimer);
  /** The latest values, for handlers that run before the next render. */
  const latest = useRef({ text: initial, saved: initial, save });
  useEffect(() => {
    latest.current.save = save;
  });
  useEffect(() => timer.cancel, [timer]);
  const commit = async (): Promise<boolean> => {
    timer.cancel();
    const { text: current, saved } = latest.current;
    if (current === saved) return true;
    latest.current.saved = current;
    const isSaved = await latest.current.save(current);
    if (!isSaved && latest.current.saved === current) latest.current.saved = saved;
    return isSaved;
  };
  return {
    text,
    isTyped,
    set: (next) => {
      latest.current.text = next;
      setText(next);
      setTyped(true);
      timer.set(idleMs, () => void commit());
    },
    commit,
    reset: () => {
      timer.cancel();
      latest.current.text = initial;
      latest.current.saved = initial;
      setText(initial);
      setTyped(false);
    },
  };
}
