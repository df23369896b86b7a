import { useEffect, useRef, type RefObject } from 'react';
import { TypeAhead } from '../../../ui/keyboard/type-ahead.ts';
import { isPreviewed } from '../trash-actions.ts';
import type { TrashHost } from '../trash-host.ts';
import type { TrashModel } from '../trash-model.ts';
import type { TrashGeometry } from './trash-geometry.ts';

interface ListKeys {
  readonly model: TrashModel;
  readonly host: TrashHost;
  readonly geometry: TrashGeometry;
  /** Moves the cursor and the focus to an item. */
  readonly focusItem: (id: string) => void;
  /** The number of rows that Page Up and Page Down move. */
  readonly pageRows: number;
}

/** Handles the keys that move the cursor, select and open; all others are left to the page. */
export function useListKeys(root: RefObject<HTMLElement | null>, keys: ListKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    const typeAhead = new TypeAhead();
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented) return;
      const isCommand = runCommand(event, latest.current, typeAhead) || moveCursor(event, latest.current);
      if (isCommand) typeAhead.forget();
      if (isCommand || jumpToName(event, latest.current, typeAhead)) event.preventDefault();
    };
    element.addEventListener('keydown', onKeyDown);
    return () => element.removeEventListener('keydown', onKeyDown);
  }, [root]);
}

function runCommand(event: KeyboardEvent, { model, host }: ListKeys, typeAhead: TypeAhead): boolean {
  const id = model.cursor ?? model.items[0]?.id;
  const item = id === undefined ? null : model.item(id);
  if (!item || event.altKey || event.metaKey) return false;
  if (event.key === 'Enter' && !event.ctrlKey && !event.shiftKey) {
    host.open(item);
    return true;
  }
  if (event.key === ' ' && !typeAhead.isActive(event.timeStamp)) {
    if (event.shiftKey) model.rangeTo(item.id, { isAdded: event.ctrlKey });
    else if (!event.ctrlKey && host.user.perm.download && isPreviewed(item)) host.open(item);
    else model.toggle(item.id);
    return true;
  }
  return false;
}

/** Returns the position to which a key moves the cursor, or null for any other key. */
function targetOf(key: string, at: number, count: number, pageRows: number): number | null {
  const moves: Readonly<Record<string, number>> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    PageUp: at - pageRows,
    PageDown: at + pageRows,
    Home: 0,
    End: count - 1,
  };
  const target = moves[key];
  return target === undefined ? null : Math.min(count - 1, Math.max(0, target));
}

function moveCursor(event: KeyboardEvent, { model, focusItem, pageRows }: ListKeys): boolean {
  const { items } = model;
  if (event.altKey || items.length === 0) return false;
  const isModified = event.ctrlKey || event.metaKey;
  // Before the first key the cursor is above the list.
  const at = model.cursor === null ? -1 : (model.position(model.cursor) ?? -1);
  const to = targetOf(event.key, at, items.length, pageRows);
  const id = to === null ? undefined : items[to]?.id;
  if (id === undefined) return false;
  if (event.shiftKey) model.rangeTo(id, { isAdded: isModified });
  else if (!isModified) model.selectOnly(id);
  focusItem(id);
  return true;
}

function jumpToName(event: KeyboardEvent, { model, focusItem }: ListKeys, typeAhead: TypeAhead): boolean {
  const search = typeAhead.add(event, model.cursor === null ? null : model.position(model.cursor));
  if (search === null) return false;
  const found = model.findByPrefix(search.text, search.start);
  const id = found === null ? undefined : model.items[found]?.id;
  if (id !== undefined) {
    model.selectOnly(id);
    focusItem(id);
  }
  return true;
}
