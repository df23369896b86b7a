import { useState } from 'react';

/** A form over a stored value: what was typed stands over it until it is saved. */
export interface Draft<Value> {
  value: Value;
  /** Something differs from what is stored. */
  isChanged: boolean;
  change: (part: Partial<Value>) => void;
  /** The parts that differ from what is stored. */
  changes: () => Partial<Value>;
  /** Shows what is stored again. */
  reset: () => void;
}

export function useDraft<Value extends object>(stored: Value): Draft<Value> {
  const [typed, setTyped] = useState<Partial<Value>>({});
  const value = { ...stored, ...typed };
  return {
    value,
    isChanged: JSON.stringify(value) !== JSON.stringify(stored),
    changes: () =>
      Object.fromEntries(
        Object.entries(typed).filter(
          ([name, part]) => JSON.stringify(part) !== JSON.stringify(stored[name as keyof Value]),
        ),
      ) as Partial<Value>,
    change: (part) => setTyped((before) => ({ ...before, ...part })),
    reset: () => setTyped({}),
  };
}
