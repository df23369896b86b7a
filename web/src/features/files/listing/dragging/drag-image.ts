import { displayName } from '../../../../i18n/display-name.ts';
import styles from '../listing.module.css';

/** What hangs at the pointer while entries are dragged. The caller removes it once the browser has drawn it. */
export function makeDragImage(label: string): HTMLElement {
  const image = document.createElement('div');
  image.className = styles['dragImage'] ?? '';
  image.textContent = displayName(label);
  document.body.append(image);
  return image;
}
