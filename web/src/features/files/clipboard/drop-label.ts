import { pluralValues } from '../../../i18n/format.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { copyKey, shortcutLabel } from '../../../ui/keyboard/shortcut.ts';
import type { DropSummary } from './drop-summary.ts';
import styles from './drop-label.module.css';

/** The distance from the pointer, in px: the label is beside the image of the drag. */
const distancePx = { x: 48, y: 20 };
/** The minimum distance from the edges of the window, in px. */
const marginPx = 8;

/** A drop as its label describes it. */
export interface DropDescription extends DropSummary {
  /** The name of the folder, isolated for a sentence. */
  readonly folder: string;
  /** Whether the user may copy instead of moving. */
  readonly canCopy: boolean;
  /** Whether the folder opens when the drag rests on it. */
  readonly opens: boolean;
}

let label: HTMLElement | null = null;
let shownText = '';

/** Returns the sentence that says what a drop does. */
export function dropText({ kind, count, folder }: Omit<DropDescription, 'canCopy' | 'opens'>): string {
  if (kind === 'upload' && count === 0) return i18n.t('dragging:uploadSome', { folder });
  return i18n.t(`dragging:${kind}`, { ...pluralValues(count), folder });
}

/** Returns what else the user can do; empty if nothing. */
function hintOf({ kind, canCopy, opens }: DropDescription): string {
  const hints: string[] = [];
  if (kind === 'move' && canCopy) hints.push(i18n.t('dragging:holdToCopy', { key: shortcutLabel(copyKey) }));
  if (opens) hints.push(i18n.t('dragging:holdToOpen'));
  return hints.join(' · ');
}

/** Shows a label beside the pointer that describes what a drop would do. Coordinates are relative to the window. */
export function showDropLabel(
  drop: DropDescription,
  { clientX, clientY }: { clientX: number; clientY: number },
): void {
  if (label === null) {
    label = document.createElement('div');
    label.className = styles['label'] ?? '';
    label.setAttribute('aria-hidden', 'true');
    document.body.append(label);
    // A cancelled drag fires no other event here.
    document.addEventListener('dragend', hideDropLabel, { once: true, capture: true });
  }
  const lines = [dropText(drop), hintOf(drop)];
  const text = lines.join('\n');
  if (text !== shownText) {
    shownText = text;
    label.replaceChildren(...lines.filter((line) => line !== '').map(lineOf));
  }
  const left = Math.min(clientX + distancePx.x, window.innerWidth - label.offsetWidth - marginPx);
  const top = Math.min(clientY + distancePx.y, window.innerHeight - label.offsetHeight - marginPx);
  label.style.transform = `translate(${Math.max(marginPx, left)}px, ${Math.max(marginPx, top)}px)`;
}

/** Returns the element of a line; those after the first one are small. */
function lineOf(text: string, index: number): HTMLElement {
  const line = document.createElement(index === 0 ? 'span' : 'small');
  line.textContent = text;
  return line;
}

/** Removes the label. */
export function hideDropLabel(): void {
  label?.remove();
  label = null;
  shownText = '';
}
