import styles from './drop-pill.module.css';

let pill: HTMLElement | null = null;

/** Shows beside the pointer, at a place of the window, what a drop would do. */
export function showDropPill(sentence: string, { x, y }: { x: number; y: number }): void {
  if (pill === null) {
    pill = document.createElement('div');
    pill.className = styles['pill'] ?? '';
    pill.setAttribute('aria-hidden', 'true');
    document.body.append(pill);
    // A drag that is given up leaves no other sign.
    document.addEventListener('dragend', hideDropPill, { once: true, capture: true });
  }
  if (pill.textContent !== sentence) pill.textContent = sentence;
  const left = Math.min(x + 16, window.innerWidth - pill.offsetWidth - 8);
  const top = Math.min(y + 20, window.innerHeight - pill.offsetHeight - 8);
  pill.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
}

/** Takes it away. */
export function hideDropPill(): void {
  pill?.remove();
  pill = null;
}
