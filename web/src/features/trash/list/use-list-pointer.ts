import { doubleTapMs } from '@filestead/contract/values/limits';
import { useEffect, useRef, type RefObject } from 'react';
import { LongPress } from '../../../ui/long-press.ts';
import type { TrashHost } from '../trash-host.ts';
import type { TrashModel } from '../trash-model.ts';
import type { MenuRequest } from './menu-request.ts';

interface ListPointer {
  readonly model: TrashModel;
  readonly host: TrashHost;
  readonly focusItem: (id: string) => void;
  readonly onMenu: (request: MenuRequest) => void;
}

const idOf = (target: EventTarget | null): string | null =>
  (target instanceof Element && target.closest<HTMLElement>('[data-item]')?.dataset['item']) || null;

const partOf = (target: EventTarget | null): string | null =>
  (target instanceof Element && target.closest<HTMLElement>('[data-part]')?.dataset['part']) || null;

/** Handles clicks, taps, long presses and the context menu. */
export function useListPointer(root: RefObject<HTMLElement | null>, pointer: ListPointer): void {
  const latest = useRef(pointer);
  useEffect(() => {
    latest.current = pointer;
  });
  useEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    let lastPointer = 'mouse';
    let lastTap: { id: string; atMs: number } | null = null;
    let ignoresNextClick = false;
    const press = new LongPress<string>((id) => {
      const { model } = latest.current;
      ignoresNextClick = true;
      if (!model.isSelected(id)) model.toggle(id);
      model.setSelecting(true);
    });
    element.addEventListener(
      'pointerdown',
      (event) => {
        ignoresNextClick = false;
        lastPointer = event.pointerType;
        press.cancel();
        const id = idOf(event.target);
        if (
          event.pointerType === 'touch' &&
          event.isPrimary &&
          id !== null &&
          partOf(event.target) !== 'menu'
        )
          press.begin(id, event);
      },
      { signal },
    );
    element.addEventListener('pointermove', (event) => press.moved(event), { signal, passive: true });
    element.addEventListener('pointerup', (event) => press.end(event), { signal });
    element.addEventListener('pointercancel', () => press.cancel(), { signal });
    element.addEventListener(
      'click',
      (event) => {
        if (ignoresNextClick) {
          ignoresNextClick = false;
          event.preventDefault();
          return;
        }
        const id = idOf(event.target);
        if (id === null) {
          if (isOnList(event.target)) latest.current.model.clearSelection();
          return;
        }
        const isSecondTap =
          lastPointer === 'touch' && lastTap?.id === id && event.timeStamp - lastTap.atMs < doubleTapMs;
        lastTap = isSecondTap ? null : { id, atMs: event.timeStamp };
        clickItem(event, id, { ...latest.current, isTouch: lastPointer === 'touch', isSecondTap });
      },
      { signal },
    );
    element.addEventListener(
      'dblclick',
      (event) => {
        const id = idOf(event.target);
        const part = partOf(event.target);
        const { model, host } = latest.current;
        const isModified = event.ctrlKey || event.metaKey || event.shiftKey;
        if (id === null || lastPointer === 'touch' || isModified || model.isSelecting) return;
        if (part === 'check' || part === 'menu' || host.user.singleClick) return;
        const item = model.item(id);
        if (item) host.open(item);
      },
      { signal },
    );
    element.addEventListener(
      'contextmenu',
      (event) => {
        event.preventDefault();
        // On touch screens a long press selects; some of them also fire this event for it.
        if (press.isHeld || lastPointer === 'touch') return;
        const { model, onMenu, focusItem } = latest.current;
        const id = idOf(event.target);
        const at = { x: event.clientX, y: event.clientY };
        if (id === null) {
          model.clearSelection();
          onMenu({ place: 'listMenu', at, isByKey: false });
          return;
        }
        if (!model.isSelected(id)) model.selectOnly(id);
        focusItem(id);
        onMenu({ place: 'itemMenu', at, isByKey: false });
      },
      { signal },
    );
    element.addEventListener(
      'focusin',
      (event) => {
        const id = idOf(event.target);
        if (id !== null) latest.current.model.moveCursor(id);
      },
      { signal },
    );
    return () => {
      press.cancel();
      listening.abort();
    };
  }, [root]);
}

/** Whether an event is on the empty part of the list. */
const isOnList = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, a, input') === null;

function clickItem(
  event: MouseEvent,
  id: string,
  {
    model,
    host,
    focusItem,
    onMenu,
    isTouch,
    isSecondTap,
  }: ListPointer & { isTouch: boolean; isSecondTap: boolean },
): void {
  const part = partOf(event.target);
  const isModified = event.ctrlKey || event.metaKey;
  if (part === 'menu') {
    if (!model.isSelected(id)) model.selectOnly(id);
    focusItem(id);
    onMenu({ place: 'itemMenu', at: { x: event.clientX, y: event.clientY }, isByKey: false });
    return;
  }
  if (event.shiftKey) model.rangeTo(id, { isAdded: isModified });
  else if (isModified || part === 'check' || model.isSelecting) model.toggle(id);
  else {
    const item = model.item(id);
    const isOpening =
      host.user.singleClick || isSecondTap || (isTouch && part === 'name' && item?.isDir === true);
    if (!isOpening || !host.user.singleClick) model.selectOnly(id);
    focusItem(id);
    if (isOpening && item) host.open(item);
    return;
  }
  focusItem(id);
}
