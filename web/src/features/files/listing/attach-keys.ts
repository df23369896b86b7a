import type { ListingLayout } from './model/listing-geometry.ts';
import { openTab } from './links.ts';
import { isControl, type ListingSurface } from './surface.ts';
import { isMenuKey } from '../../../ui/keyboard/keystroke.ts';
import { TypeAhead } from '../../../ui/keyboard/type-ahead.ts';

/** Handles keys that move the cursor and select. All other keys are left to outer listeners. */
export function attachKeys(surface: ListingSurface): () => void {
  const { root } = surface.elements;
  const typeAhead = new TypeAhead();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing || event.defaultPrevented) return;
    if (isControl(event.target)) {
      // Editing a name ends the search by typed letters.
      typeAhead.forget();
      return;
    }
    const isCommand = runKeyCommand(surface, event, typeAhead) || moveCursorByKey(surface, event);
    if (isCommand) typeAhead.forget();
    const isHandled = isCommand || jumpToName(surface, event, typeAhead);
    if (isHandled) event.preventDefault();
  };
  root.addEventListener('keydown', onKeyDown);
  return () => root.removeEventListener('keydown', onKeyDown);
}

function runKeyCommand(surface: ListingSurface, event: KeyboardEvent, typeAhead: TypeAhead): boolean {
  const { model } = surface;
  const isModified = event.ctrlKey || event.metaKey;
  if (isModified && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'a') {
    model.selectAll();
    return true;
  }
  if (event.key === 'Escape') {
    if (surface.props().onEscape?.()) return true;
    if (model.selectedCount === 0 && !model.isSelecting) return false;
    model.batch(() => {
      model.clearSelection();
      model.setSelecting(false);
    });
    return true;
  }
  if (isMenuKey(event)) {
    openMenuByKey(surface);
    return true;
  }
  const id = model.cursor;
  if (id === null || model.position(id) === null) return false;
  if (event.key === 'Enter' && isModified && !event.altKey && !event.shiftKey) {
    const address = surface.props().addressOf?.(id);
    if (address === undefined) return false;
    openTab(address);
    return true;
  }
  if (event.key === 'Enter' && !isModified && !event.altKey && !event.shiftKey) {
    surface.props().onOpen(id);
    return true;
  }
  if (event.key === ' ' && !event.altKey && !event.metaKey && !typeAhead.isActive(event.timeStamp)) {
    const isPlain = !event.shiftKey && !event.ctrlKey;
    if (event.shiftKey) model.rangeTo(id, { isAdded: event.ctrlKey });
    else if (!isPlain || !showPreview(surface, id)) model.toggle(id);
    return true;
  }
  return false;
}

/** The distance between the corner of the listing and the menu of the folder, in px. */
const menuInsetPx = 24;

/** Opens the menu of the entry with the cursor; without one, that of the folder in the corner where lines begin. */
export function openMenuByKey(surface: ListingSurface): void {
  const { model } = surface;
  const id = model.cursor;
  if (id !== null && model.position(id) !== null) {
    const hasKeyboard = surface.row(id)?.contains(document.activeElement) ?? false;
    if (hasKeyboard || model.isSelected(id)) {
      openMenu(surface, id, true);
      return;
    }
  }
  model.clearSelection();
  const box = surface.elements.scroller.getBoundingClientRect();
  const x = surface.isRightToLeft ? box.right - menuInsetPx : box.left + menuInsetPx;
  surface.props().onContextMenu(null, { x, y: box.top + menuInsetPx }, true);
}

/** Shows the preview of an entry, unless several entries are being selected. Returns whether it did. */
function showPreview({ model, props }: ListingSurface, id: number): boolean {
  const isChoosing = model.isSelecting || model.selectedCount > (model.isSelected(id) ? 1 : 0);
  return !isChoosing && (props().onPreview?.(id) ?? false);
}

/** Opens the menu at a row, below its name. */
export function openMenu(surface: ListingSurface, id: number, isByKey: boolean): void {
  const { model } = surface;
  if (!model.isSelected(id)) model.selectOnly(id);
  const position = model.position(id);
  if (position !== null) surface.reveal(position);
  const row = surface.row(id);
  const box = (row?.querySelector('[data-part="name"]') ?? row)?.getBoundingClientRect();
  if (box === undefined) return;
  const at = { x: surface.isRightToLeft ? box.right : box.left, y: box.bottom };
  surface.props().onContextMenu(id, at, isByKey);
}

function moveCursorByKey(surface: ListingSurface, event: KeyboardEvent): boolean {
  const { model } = surface;
  if (event.altKey || model.count === 0) return false;
  const at = model.cursor === null ? null : model.position(model.cursor);
  const target = targetPosition(event.key, at, surface.geometry(), {
    isMirrored: surface.isRightToLeft,
    heightPx: surface.tracker.viewportPx,
  });
  if (target === null) return false;
  const id = model.idAt(target);
  if (id === null) return false;
  const isModified = event.ctrlKey || event.metaKey;
  // Changes the model first, so that rows and cursor change in one rendering.
  if (event.shiftKey) model.rangeTo(id, { isAdded: isModified });
  else if (isModified) model.moveCursor(id);
  else model.selectOnly(id);
  surface.focus(id);
  return true;
}

/** Returns the position that a key moves to, or null for any other key. `at` is null without a cursor. */
export function targetPosition(
  key: string,
  at: number | null,
  geometry: ListingLayout,
  { isMirrored, heightPx }: { isMirrored: boolean; heightPx: number },
): number | null {
  const isMoving = /^(Arrow(Up|Down|Left|Right)|Home|End|Page(Up|Down))$/u.test(key);
  if (!isMoving || geometry.count === 0) return null;
  if (key === 'End') return geometry.count - 1;
  if (key === 'Home') return 0;
  const isSideways = key === 'ArrowLeft' || key === 'ArrowRight';
  if (isSideways && geometry.measures.columns === 1) return null;
  if (at === null) return 0;
  if (isSideways) {
    const isForward = (key === 'ArrowRight') !== isMirrored;
    return geometry.clampPosition(at + (isForward ? 1 : -1));
  }
  const direction = key === 'ArrowUp' || key === 'PageUp' ? -1 : 1;
  if (key.startsWith('Page')) return geometry.pageAway(at, direction, heightPx);
  return geometry.neighbor(at, direction) ?? at;
}

function jumpToName(surface: ListingSurface, event: KeyboardEvent, typeAhead: TypeAhead): boolean {
  const { model } = surface;
  if (model.count === 0) return false;
  const search = typeAhead.add(event, model.cursor === null ? null : model.position(model.cursor));
  if (search === null) return false;
  const found = model.findByPrefix(search.text, search.start);
  const id = found === null ? null : model.idAt(found);
  if (id !== null) {
    model.selectOnly(id);
    surface.focus(id);
  }
  return true;
}
