import { loadTexts } from '../../../../i18n/i18n.ts';
import { isCopyKeyHeld } from '../../../../ui/keyboard/shortcut.ts';
import { draggedFileCount } from '../../clipboard/drop-summary.ts';
import { beginDrag, currentDrag, dragType, endDrag, onDragEnd } from './drag-session.ts';
import { createDragImage } from './drag-image.ts';
import type { DragOver, DropEffect } from './drag-over.ts';
import { lazyPart } from '../../../../ui/overlays/lazy-part.ts';
import { idOfTarget, isControl, type ListingSurface } from '../surface.ts';

/** The code that shows the effect of a drop, fetched by the first drag. */
const overPart = lazyPart(() => loadTexts('dragging').then(() => import('./drag-over.ts')));

/**
 * Handles drag and drop of entries onto folders of the listing, and of files from outside onto the listing or one of
 * its folders.
 */
export function attachDrag(surface: ListingSurface): () => void {
  const { root } = surface.elements;
  const listening = new AbortController();
  const { signal } = listening;
  let over: DragOver | null = null;
  /** The last report of a running drag. */
  let last: readonly [DropEffect | null, DragEvent] | null = null;
  const end = (): void => {
    last = null;
    over?.end();
  };
  const move = (event: DragEvent): void => {
    const types = event.dataTransfer?.types ?? [];
    if (!types.includes(dragType) && !types.includes('Files')) return;
    const effect = dropEffectAt(surface, event);
    // Also without an allowed drop, since the browser would otherwise leave the page to show the file.
    event.preventDefault();
    if (event.dataTransfer) {
      event.dataTransfer.dropEffect = effect === null ? 'none' : effect.kind === 'move' ? 'move' : 'copy';
    }
    last = [effect, event];
    // Without this code a drop works; the next report of the drag tries again.
    if (over === null) overPart.load().catch(() => undefined);
    over?.moved(...last);
  };

  root.addEventListener('dragstart', (event) => startDrag(surface, event), { signal });
  for (const type of ['dragenter', 'dragover'] as const) {
    root.addEventListener(type, move, { signal });
  }
  root.addEventListener(
    'dragleave',
    (event) => {
      const isInside = event.relatedTarget instanceof Node && root.contains(event.relatedTarget);
      if (!isInside) end();
    },
    { signal },
  );
  root.addEventListener(
    'drop',
    (event) => {
      const effect = dropEffectAt(surface, event);
      end();
      if (effect === null || event.dataTransfer === null) return;
      event.preventDefault();
      performDrop(surface, effect, event.dataTransfer);
    },
    { signal },
  );
  const stopWaiting = overPart.whenLoaded((code) => {
    over = new code.DragOver(surface);
    if (last !== null) over.moved(...last);
    return end;
  });
  const stopListening = onDragEnd(end);
  return () => {
    stopListening();
    stopWaiting();
    listening.abort();
  };
}

function startDrag(surface: ListingSurface, event: DragEvent): void {
  const id = idOfTarget(event.target);
  const { model, can, onMove, onDragStart } = surface.props();
  const data = event.dataTransfer;
  if (id === null || data === null || isControl(event.target)) return;
  const isAllowed = onMove !== undefined && (can.rename || can.create);
  if (!isAllowed || surface.lastPointer === 'touch' || model.pendingPercent(id) !== null) {
    event.preventDefault();
    return;
  }
  if (!model.isSelected(id)) model.selectOnly(id);
  const { token, count } = beginDrag(model, id, event.target);
  data.setData(dragType, token);
  data.effectAllowed = can.rename && can.create ? 'copyMove' : can.rename ? 'move' : 'copy';
  const image = createDragImage(surface.row(id), count);
  data.setDragImage(image, 0, 0);
  setTimeout(() => image.remove());
  onDragStart?.();
}

/** Returns the effect of a drop at the position of `event`, or null when it is not allowed. */
function dropEffectAt(surface: ListingSurface, event: DragEvent): DropEffect | null {
  const { model, can, onMove, onDropFiles } = surface.props();
  const types = event.dataTransfer?.types ?? [];
  const row = idOfTarget(event.target);
  const folder = row !== null && model.isFolder(row) && model.pendingPercent(row) === null ? row : null;
  const session = currentDrag();
  if (types.includes(dragType)) {
    if (session === null || onMove === undefined) return null;
    const kind = isCopyKeyHeld(event) || !can.rename ? 'copy' : 'move';
    if (kind === 'copy' ? !can.create : !can.rename) return null;
    const isFromThisListing = session.model === model;
    if (folder !== null && !(isFromThisListing && model.isSelected(folder))) {
      return { kind, target: folder, count: session.count };
    }
    return isFromThisListing || folder !== null ? null : { kind, target: 'all', count: session.count };
  }
  if (!types.includes('Files') || !can.create || onDropFiles === undefined) return null;
  return { kind: 'upload', target: folder ?? 'all', count: draggedFileCount(event.dataTransfer) };
}

function performDrop(surface: ListingSurface, effect: DropEffect, data: DataTransfer): void {
  const targetId = typeof effect.target === 'number' ? effect.target : null;
  const { onMove, onDropFiles } = surface.props();
  if (effect.kind === 'upload') {
    onDropFiles?.(targetId, data);
    return;
  }
  // Another token belongs to a drag of another page, whose entries are unknown here.
  if (data.getData(dragType) !== currentDrag()?.token) return;
  onMove?.({ targetId, copy: effect.kind === 'copy' });
  endDrag();
  overPart.load().then(
    (code) => surface.announce(code.describeDrop(surface, effect)),
    () => undefined,
  );
}
