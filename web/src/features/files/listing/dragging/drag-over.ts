import { isolateBidi } from '../../../../i18n/isolate-bidi.ts';
import { springDelayMs } from '../../clipboard/dragged-entries.ts';
import { dropText } from '../../clipboard/drop-text.ts';
import type { DropTarget } from '../model/listing-model.ts';
import type { ListingSurface } from '../surface.ts';
import { AutoScroll } from './auto-scroll.ts';

/** The effect of a drop at the current position. */
export interface DropEffect {
  readonly kind: 'move' | 'copy' | 'upload';
  readonly target: DropTarget;
  readonly count: number;
}

/** Returns what a drop does, for its label and for screen readers. */
export function describeDrop(surface: ListingSurface, { kind, target, count }: DropEffect): string {
  const { model, folderName } = surface.props();
  const folder = isolateBidi(typeof target === 'number' ? model.name(target) : folderName);
  return dropText({ kind, count, folder });
}

/** The state of a drag over the listing: highlighted target, label, scrolling and folders that open. */
export class DragOver {
  readonly #surface: ListingSurface;
  readonly #autoScroll: AutoScroll;
  #openTimer: ReturnType<typeof setTimeout> | undefined;
  #hoveredFolder: number | null = null;
  #label = '';

  constructor(surface: ListingSurface) {
    this.#surface = surface;
    this.#autoScroll = new AutoScroll(surface.elements.scroller);
  }

  /** Shows the effect of a drop at the position of `event`; null: no drop is allowed there. */
  moved(effect: DropEffect | null, event: DragEvent): void {
    const { elements, model } = this.#surface;
    this.#autoScroll.point(event.clientY, () => undefined);
    model.setDropTarget(effect?.target ?? null);
    elements.root.toggleAttribute('data-drop', effect?.target === 'all');
    this.#showPill(effect, event);
    this.#openAfterDelay(effect);
  }

  end(): void {
    const { elements, model } = this.#surface;
    clearTimeout(this.#openTimer);
    this.#hoveredFolder = null;
    this.#autoScroll.stop();
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
