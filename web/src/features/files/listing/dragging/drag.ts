import { i18n } from '../../../../i18n/i18n.ts';
import { formatNumber } from '../../../../i18n/format.ts';
import { isolateBidi } from '../../../../i18n/isolate-bidi.ts';
import { springDelayMs } from '../../clipboard/dragged-entries.ts';
import { beginDrag, currentDrag, dragType, endDrag, onDragEnd } from './drag-session.ts';
import { createDragImage } from './drag-image.ts';
import type { DropTarget } from '../model/listing-model.ts';
import { idOfTarget, isControl, type ListingSurface } from '../surface.ts';

const isMac = /mac|iphone|ipad/iu.test(navigator.platform);
const isCopy = (event: DragEvent): boolean => (isMac ? event.altKey : event.ctrlKey);

/** The effect of a drop at the current position. */
interface DropEffect {
  readonly kind: 'move' | 'copy' | 'upload';
  readonly target: DropTarget;
  readonly count: number;
}

/**
 * Handles drag and drop of entries onto folders of the listing, and of files from outside onto the listing or one of
 * its folders.
 */
export function attachDrag(surface: ListingSurface): () => void {
  const { root } = surface.elements;
  const listening = new AbortController();
  const { signal } = listening;
  const over = new DragOver(surface);

  root.addEventListener('dragstart', (event) => startDrag(surface, event), { signal });
  for (const type of ['dragenter', 'dragover'] as const) {
    root.addEventListener(type, (event) => over.moved(event), { signal });
  }
  root.addEventListener(
    'dragleave',
    (event) => {
      const isInside = event.relatedTarget instanceof Node && root.contains(event.relatedTarget);
      if (!isInside) over.end();
    },
    { signal },
  );
  root.addEventListener(
    'drop',
    (event) => {
      const effect = dropEffectAt(surface, event);
      over.end();
      if (effect === null || event.dataTransfer === null) return;
      event.preventDefault();
      performDrop(surface, effect, event.dataTransfer);
    },
    { signal },
  );
  const stopListening = onDragEnd(() => over.end());
  return () => {
    stopListening();
    over.end();
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
  const label =
    count === 1 ? model.name(id) : i18n.t('listing:itemCount', { count, number: formatNumber(count) });
  const image = createDragImage(label);
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
    const kind = isCopy(event) || !can.rename ? 'copy' : 'move';
    if (kind === 'copy' ? !can.create : !can.rename) return null;
    const isFromThisListing = session.model === model;
    if (folder !== null && !(isFromThisListing && model.isSelected(folder))) {
      return { kind, target: folder, count: session.count };
    }
    return isFromThisListing || folder !== null ? null : { kind, target: 'all', count: session.count };
  }
  if (!types.includes('Files') || !can.create || onDropFiles === undefined) return null;
  return { kind: 'upload', target: folder ?? 'all', count: fileCount(event.dataTransfer) };
}

/** Returns the number of dragged files; 0 when the browser does not report it before the drop. */
function fileCount(data: DataTransfer | null): number {
  return Array.from(data?.items ?? []).filter((item) => item.kind === 'file').length;
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
  surface.announce(describeDrop(surface, effect));
  endDrag();
}

function describeDrop(surface: ListingSurface, { kind, target, count }: DropEffect): string {
  const { model, folderName } = surface.props();
  const folder = isolateBidi(typeof target === 'number' ? model.name(target) : folderName);
  const values = { count, number: formatNumber(count), folder };
  if (kind === 'move') return i18n.t('listing:drop.move', values);
  if (kind === 'copy') return i18n.t('listing:drop.copy', values);
  return count === 0 ? i18n.t('listing:drop.uploadSome', { folder }) : i18n.t('listing:drop.upload', values);
}

/** The state of a drag over the listing: highlighted target, label, scrolling and folders that open. */
class DragOver {
  readonly #surface: ListingSurface;
  #openTimer: ReturnType<typeof setTimeout> | undefined;
  #hoveredFolder: number | null = null;
  #label = '';

  constructor(surface: ListingSurface) {
    this.#surface = surface;
  }

  moved(event: DragEvent): void {
    const surface = this.#surface;
    const types = event.dataTransfer?.types ?? [];
    if (!types.includes(dragType) && !types.includes('Files')) return;
    const effect = dropEffectAt(surface, event);
    surface.autoScroll.point(event.clientY, () => undefined);
    // Also without an allowed drop, since the browser would otherwise leave the page to show the file.
    event.preventDefault();
    if (event.dataTransfer) {
      event.dataTransfer.dropEffect = effect === null ? 'none' : effect.kind === 'move' ? 'move' : 'copy';
    }
    surface.model.setDropTarget(effect?.target ?? null);
    surface.elements.root.toggleAttribute('data-drop', effect?.target === 'all');
    this.#showPill(effect, event);
    this.#openAfterDelay(effect);
  }

  end(): void {
    const { elements, model, autoScroll } = this.#surface;
    clearTimeout(this.#openTimer);
    this.#hoveredFolder = null;
    autoScroll.stop();
    model.setDropTarget(null);
    elements.root.removeAttribute('data-drop');
    elements.pill.hidden = true;
  }

  #showPill(effect: DropEffect | null, event: DragEvent): void {
    const { root, pill } = this.#surface.elements;
    pill.hidden = effect === null;
    if (effect === null) return;
    const label = describeDrop(this.#surface, effect);
    if (label !== this.#label) pill.textContent = label;
    this.#label = label;
    const box = root.getBoundingClientRect();
    const x = Math.min(event.clientX - box.left + 16, box.width - pill.offsetWidth - 8);
    const y = Math.min(event.clientY - box.top + 20, box.height - pill.offsetHeight - 8);
    pill.style.transform = `translate(${Math.max(8, x)}px, ${y}px)`;
  }

  /**
   * Opens a folder when the drag rests on it; for entries only if the owner of the listing keeps the dragged entries.
   */
  #openAfterDelay(effect: DropEffect | null): void {
    const target = typeof effect?.target === 'number' ? effect.target : null;
    if (target === this.#hoveredFolder) return;
    clearTimeout(this.#openTimer);
    this.#hoveredFolder = target;
    if (target === null) return;
    if (effect?.kind !== 'upload' && this.#surface.props().onDragStart === undefined) return;
    this.#openTimer = setTimeout(() => {
      this.end();
      this.#surface.props().onOpen(target);
    }, springDelayMs);
  }
}
