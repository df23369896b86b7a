import { useEffect, useRef, useState } from 'react';
import type { TFunction } from 'i18next';
import { ApiError, isApiError } from '../../../api/call.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { settingsFailureText } from './failure-text.ts';
import type { PasswordQuestion } from '../../../ui/overlays/password-dialog.tsx';

/** The result of the last change of a field. */
export type FieldState =
  | { readonly kind: 'saved' }
  | { readonly kind: 'failed'; readonly text: string }
  | null;

/** A form whose fields are saved one by one. */
export interface InstantDraft<Value> {
  /** The stored values, with those that were typed or are being saved. */
  readonly value: Value;
  /** Whether a typed value has not been saved. */
  readonly isChanged: boolean;
  /** Saves a choice at once, and reverts it when it cannot be saved. `field` is the row that shows the result. */
  readonly choose: (change: Partial<Value>, field?: string) => void;
  /** Changes a text; it is saved by `commit`. */
  readonly type: (change: Partial<Value>) => void;
  /** Saves a typed text, if it has changed. */
  readonly commit: (name: keyof Value & string) => void;
  readonly stateOf: (field: string) => FieldState;
  readonly question: PasswordQuestion;
}

interface PendingChange<Value> {
  readonly change: Partial<Value>;
  readonly field: string;
  readonly isChoice: boolean;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Edits `stored` and saves each change with `save`, one after the other. */
export function useInstantDraft<Value extends object>(
  stored: Value,
  save: (change: Partial<Value>, currentPassword?: string) => Promise<void>,
): InstantDraft<Value> {
  const { t } = useTranslation('settings');
  const [edits, setEdits] = useState<Partial<Value>>({});
  const [last, setLast] = useState<{ field: string; state: FieldState } | null>(null);
  const [pendingChange, setPendingChange] = useState<PendingChange<Value> | null>(null);
  const [isWrong, setWrong] = useState(false);
  const [isPending, setPending] = useState(false);
  /** The last request. Each reads the stored settings and writes all of them, so requests must not overlap. */
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });

  /** Removes edits that are saved or reverted, unless they have changed since. */
  const drop = (change: Partial<Value>) =>
    setEdits((before) => {
      const rest = { ...before };
      for (const [name, part] of Object.entries(change)) {
        if (isSame(rest[name as keyof Value], part)) delete rest[name as keyof Value];
      }
      return rest;
    });

  const send = async (item: PendingChange<Value>, password?: string): Promise<void> => {
    const { change, field, isChoice } = item;
    setPending(true);
    try {
      const work = queue.current.then(() => latest.current(change, password));
      queue.current = work.catch(() => undefined);
      await work;
      drop(change);
      setPendingChange(null);
      setLast({ field, state: { kind: 'saved' } });
    } catch (error) {
      if (isApiError(error, 'current_password_wrong')) {
        setWrong(password !== undefined);
        setPendingChange(item);
        return;
      }
      if (isChoice) drop(change);
      setPendingChange(null);
      setLast({ field, state: { kind: 'failed', text: failureOf(t, error) } });
    } finally {
      setPending(false);
    }
  };

  return {
    value: { ...stored, ...edits },
    isChanged: Object.entries(edits).some(([name, part]) => !isSame(part, stored[name as keyof Value])),
    choose: (change, field = Object.keys(change)[0] ?? '') => {
      setEdits((before) => ({ ...before, ...change }));
      setLast(null);
      void send({ change, field, isChoice: true });
    },
    type: (change) => {
      setEdits((before) => ({ ...before, ...change }));
      setLast(null);
    },
    commit: (name) => {
      const part = edits[name];
      if (part === undefined) return;
      const change: Partial<Value> = {};
      change[name] = part;
      if (isSame(part, stored[name])) drop(change);
      else void send({ change, field: name, isChoice: false });
    },
    stateOf: (field) => (last?.field === field ? last.state : null),
    question: {
      isOpen: pendingChange !== null,
      isWrong,
      isPending,
      onConfirm: (password) => {
        if (pendingChange !== null) void send(pendingChange, password);
      },
      onClose: () => {
        if (pendingChange !== null) drop(pendingChange.change);
        setPendingChange(null);
      },
    },
  };
}

function failureOf(t: TFunction<'settings'>, error: unknown): string {
  if (error instanceof ApiError && error.code === 'invalid_path') return t('global.error.scope');
  return settingsFailureText(t, error);
}
