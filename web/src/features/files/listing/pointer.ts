import { doubleTapMs } from '@filestead/contract/values/limits';
import { LongPress } from '../../../ui/long-press.ts';
import { openMenu } from './attach-keys.ts';
import { idOfTarget, isControl, type ListingSurface, partOfTarget } from './surface.ts';

/** Handles clicks, taps, long presses and the context menu. */
export function attachPointer(surface: ListingSurface, onPointerKind: (kind: string) => void): () => void {
  const { root } = surface.elements;
  const listening = new AbortController();
  const { signal } = listening;
  const press = new LongPress<number>((id) => startSelecting(surface, id));
  let lastTap: { id: number; atMs: number } | null = null;

  root.addEventListener(
    'pointerdown',
    (event) => {
      surface.ignoresNextClick = false;
      if (surface.lastPointer !== event.pointerType) {
        surface.lastPointer = event.pointerType;
        onPointerKind(event.pointerType);
      }
      press.cancel();
      const id = idOfTarget(event.target);
      if (
        event.pointerType === 'touch' &&
        event.isPrimary &&
        !isControl(event.target) &&
        id !== null &&
        partOfTarget(event.target) !== 'menu'
      )
        press.begin(id, event);
    },
    { signal, capture: true },
  );
  root.addEventListener('pointermove', (event) => press.moved(event), { signal, passive: true });
  root.addEventListener('pointerup', (event) => press.end(event), { signal });
  root.addEventListener('pointercancel', () => press.cancel(), { signal });

  root.addEventListener(
    'click',
    (event) => {
      if (surface.ignoresNextClick) {
        surface.ignoresNextClick = false;
        event.preventDefault();
        return;
      }
      if (isControl(event.target) || event.button !== 0) return;
      const id = idOfTarget(event.target);
      if (id === null) {
        clickEmptySpace(surface, event);
        return;
      }
      // The time of the touch, not of its handling: painting after the first tap may delay the second.
      const atMs = event.timeStamp;
      const isSecondTap =
        surface.lastPointer === 'touch' && lastTap?.id === id && atMs - lastTap.atMs < doubleTapMs;
      lastTap = isSecondTap ? null : { id, atMs };
      clickEntry(surface, event, id, isSecondTap);
    },
    { signal },
  );
  root.addEventListener(
    'dblclick',
    (event) => {
      const id = idOfTarget(event.target);
      const part = partOfTarget(event.target);
      const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
      const { singleClick, model, onOpen } = surface.props();
      if (id === null || surface.lastPointer === 'touch' || isControl(event.target)) return;
      if (part === 'check' || part === 'menu' || singleClick || model.isSelecting || !isPlain) return;
      onOpen(id);
    },
    { signal },
  );
  root.addEventListener('contextmenu', (event) => openContextMenu(surface, event, press), { signal });
  document.addEventListener(
    'focusin',
    (event) => {
      const isInside = event.target instanceof Node && root.contains(event.target);
      const id = isInside ? idOfTarget(event.target) : null;
      surface.recordFocus(id);
      if (id !== null) surface.model.moveCursor(id);
    },
    { signal },
  );
  return () => {
    press.cancel();
    listening.abort();
  };
}

function clickEntry(surface: ListingSurface, event: MouseEvent, id: number, isSecondTap: boolean): void {
  const { model, singleClick, onOpen } = surface.props();
  const part = partOfTarget(event.target);
  const isModified = event.ctrlKey || event.metaKey;
  const isTouch = surface.lastPointer === 'touch';
  if (part === 'menu') {
    openMenu(surface, id, false);
    return;
  }
  const focus = (): void => surface.row(id)?.focus({ preventScroll: true });
  if (event.shiftKey) model.rangeTo(id, { isAdded: isModified });
  else if (isModified || part === 'check' || model.isSelecting) model.toggle(id);
  else {
    const opens = singleClick || isSecondTap || (isTouch && part === 'name' && model.isFolder(id));
    if (!singleClick && !isSecondTap) model.selectOnly(id);
    focus();
    if (opens) onOpen(id);
    return;
  }
  focus();
}

function clickEmptySpace(surface: ListingSurface, event: MouseEvent): void {
  if (!surface.isOnContent({ x: event.clientX, y: event.clientY })) return;
  if (!event.ctrlKey && !event.metaKey && !event.shiftKey) surface.model.clearSelection();
  if (surface.lastPointer !== 'touch' && !surface.elements.root.contains(document.activeElement)) {
    surface.focusCursor();
  }
}

function openContextMenu(surface: ListingSurface, event: MouseEvent, press: LongPress<number>): void {
  if (isControl(event.target) && partOfTarget(event.target) === 'editor') return;
  event.preventDefault();
  // On touch screens a long press selects; some of them also fire this event for it.
  if (press.isHeld || surface.lastPointer === 'touch') return;
  const { model, onContextMenu } = surface.props();
  const id = idOfTarget(event.target);
  if (id === null) model.clearSelection();
  else if (!model.isSelected(id)) model.selectOnly(id);
  if (id !== null) surface.row(id)?.focus({ preventScroll: true });
  onContextMenu(id, { x: event.clientX, y: event.clientY }, false);
}

/** Starts multi-select mode with an entry that was pressed for long. */
function startSelecting(surface: ListingSurface, id: number): void {
  const { model } = surface;
  surface.ignoresNextClick = true;
  model.batch(() => {
    model.setSelecting(true);
    if (!model.isSelected(id)) model.toggle(id);
  });
}
