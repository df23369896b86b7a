import { useState } from 'react';

/** A form over a stored value: typed values override it until they are saved. */
export interface Draft<Value> {
  value: Value;
  /** Whether a value differs from the stored one. */
  isChanged: boolean;
  change: (part: Partial<Value>) => void;
  /** Returns the values that differ from the stored ones. */
  changes: () => Partial<Value>;
  /** Discards the changes. */
  reset: () => void;
}

export function useDraft<Value extends object>(stored: Value): Draft<Value> {
  const [edits, setEdits] = useState<Partial<Value>>({});
  const value = { ...stored, ...edits };
  return {
    value,
    isChanged: JSON.stringify(value) !== JSON.stringify(stored),
    changes: () =>
      Object.fromEntries(
        Object.entries(edits).filter(
          ([name, part]) => JSON.stringify(part) !== JSON.stringify(stored[name as keyof Value]),
        ),
      ) as Partial<Value>,
    change: (part) => setEdits((before) => ({ ...before, ...part })),
    reset: () => setEdits({}),
  };
}
