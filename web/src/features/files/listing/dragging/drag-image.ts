import { displayName } from '../../../../i18n/display-name.ts';
import styles from './pill.module.css';

/**
 * Creates the image that follows the pointer while entries are dragged. The caller removes it once the browser has
 * drawn it.
 */
export function createDragImage(label: string): HTMLElement {
  const image = document.createElement('div');
  image.className = styles['pill'] ?? '';
  image.dataset['dragImage'] = '';
  image.textContent = displayName(label);
  document.body.append(image);
  return image;
}
