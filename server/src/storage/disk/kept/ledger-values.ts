import { joinPaths, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { LedgerRecord } from '../../kept/kept-entries.ts';
import { isKeptId } from '../../kept/kept-names.ts';
import { recordedPath } from '../../kept/kept-record.ts';

/** A value of a ledger that is a JSON object. */
export type LedgerValue = Readonly<Record<string, unknown>>;

/** Whether a value of a ledger is a JSON object. */
export const isLedgerValue = (value: unknown): value is LedgerValue =>
  typeof value === 'object' && value !== null;

type RecordWithoutPosition = LedgerRecord extends infer Each
  ? Each extends LedgerRecord
    ? Omit<Each, 'position'>
    : never
  : never;

/** Returns the ids of a `doom` or `end` record. */
export const idsOf = (value: LedgerValue): string[] =>
  Array.isArray(value['ids']) ? value['ids'].filter((id) => typeof id === 'string' && isKeptId(id)) : [];

function moveOf(value: LedgerValue, store: VirtualPath): RecordWithoutPosition[] {
  const from = recordedPath(value['from']);
  const to = recordedPath(value['to']);
  const { number, isOutside } = value;
  if (from === null || to === null || typeof number !== 'number') return [];
  const target = isOutside === true ? to : joinPaths(store, to);
  return [{ kind: 'move', from: joinPaths(store, from), to: target, number }];
}

/** Returns the records of a value in the ledger of the folder `store`, apart from those of kept entries. */
export function recordsOfValue(value: LedgerValue, store: VirtualPath): RecordWithoutPosition[] {
  const { type, id, label, keepsForever } = value;
  switch (type) {
    case 'doom':
    case 'end':
      return idsOf(value).map((each) => ({ kind: type, id: each }));
    case 'move':
      return moveOf(value, store);
    case 'restore': {
      const to = recordedPath(value['to']);
      return to === null || typeof id !== 'string' || !isKeptId(id) ? [] : [{ kind: type, id, to }];
    }
    case 'mark': {
      const isText = label === null || typeof label === 'string';
      if (typeof id !== 'string' || !isKeptId(id) || !isText || typeof keepsForever !== 'boolean') return [];
      return [{ kind: 'annotation', id, label, keepsForever }];
    }
    default:
      return [];
  }
}
