import styles from '../listing/dragging/pill.module.css';

let pill: HTMLElement | null = null;

/** Shows a label beside the pointer that describes what a drop would do. Coordinates are relative to the window. */
export function showDropPill(label: string, { x, y }: { x: number; y: number }): void {
  if (pill === null) {
    pill = document.createElement('div');
    pill.className = styles['pill'] ?? '';
    pill.setAttribute('aria-hidden', 'true');
    document.body.append(pill);
    // A cancelled drag fires no other event here.
    document.addEventListener('dragend', hideDropPill, { once: true, capture: true });
  }
  if (pill.textContent !== label) pill.textContent = label;
  const left = Math.min(x + 16, window.innerWidth - pill.offsetWidth - 8);
  const top = Math.min(y + 20, window.innerHeight - pill.offsetHeight - 8);
  pill.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
}

/** Removes the label. */
export function hideDropPill(): void {
  pill?.remove();
  pill = null;
}
