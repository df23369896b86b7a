import { isolateBidi } from '../../../../i18n/isolate-bidi.ts';
import { springDelayMs } from '../../clipboard/dragged-entries.ts';
import { dropText, hideDropLabel, showDropLabel } from '../../clipboard/drop-label.ts';
import type { DropSummary } from '../../clipboard/drop-summary.ts';
import type { DropTarget } from '../model/listing-model.ts';
import type { ListingSurface } from '../surface.ts';
import { AutoScroll } from './auto-scroll.ts';

/** The effect of a drop at the current position. */
export interface DropEffect extends DropSummary {
  readonly target: DropTarget;
}

/** Returns the name of the folder into which a drop puts the entries, isolated for a sentence. */
function folderOf(surface: ListingSurface, { target }: DropEffect): string {
  const { model, folderName } = surface.props();
  return isolateBidi(typeof target === 'number' ? model.name(target) : folderName);
}

/** Returns what a drop does, for screen readers. */
export const describeDrop = (surface: ListingSurface, effect: DropEffect): string =>
  dropText({ ...effect, folder: folderOf(surface, effect) });

/** The state of a drag over the listing: highlighted target, label, scrolling and folders that open. */
export class DragOver {
  readonly #surface: ListingSurface;
  readonly #autoScroll: AutoScroll;
  #openTimer: ReturnType<typeof setTimeout> | undefined;
  #hoveredFolder: number | null = null;

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
    this.#showLabel(effect, event);
    this.#openAfterDelay(effect);
  }

  end(): void {
    const { elements, model } = this.#surface;
    clearTimeout(this.#openTimer);
    this.#hoveredFolder = null;
    this.#autoScroll.stop();
    model.setDropTarget(null);
    elements.root.removeAttribute('data-drop');
    hideDropLabel();
  }

  #showLabel(effect: DropEffect | null, event: DragEvent): void {
    if (effect === null) {
      hideDropLabel();
      return;
    }
    const folder = folderOf(this.#surface, effect);
    const canCopy = this.#surface.props().can.create;
    showDropLabel({ ...effect, folder, canCopy, opens: this.#opens(effect) }, event);
  }

  /** Whether a drag that rests opens the folder; with entries only if the owner of the listing keeps the dragged entries. */
  #opens({ kind, target }: DropEffect): boolean {
    return (
      typeof target === 'number' && (kind === 'upload' || this.#surface.props().onDragStart !== undefined)
    );
  }

  /** Opens a folder when the drag rests on it. */
  #openAfterDelay(effect: DropEffect | null): void {
    const target = typeof effect?.target === 'number' ? effect.target : null;
    if (target === this.#hoveredFolder) return;
    clearTimeout(this.#openTimer);
    this.#hoveredFolder = target;
    if (effect === null || target === null || !this.#opens(effect)) return;
    this.#openTimer = setTimeout(() => {
      this.end();
      this.#surface.props().onOpen(target);
    }, springDelayMs);
  }
}
