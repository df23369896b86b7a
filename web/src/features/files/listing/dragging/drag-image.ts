import { formatNumber } from '../../../../i18n/format.ts';
import styles from './drag-image.module.css';

/**
 * Creates the image that follows the pointer while entries are dragged: the picture of the dragged row or tile, for several entries
 * two of them with the number. The caller removes it once the browser has drawn it.
 */
export function createDragImage(row: Element | null, count: number): HTMLElement {
  const image = document.createElement('div');
  image.className = styles['image'] ?? '';
  const picture = row?.querySelector('[data-part=icon] :is(img[data-loaded], svg)');
  if (picture) for (let copy = 0; copy < Math.min(count, 2); copy++) image.append(picture.cloneNode(true));
  if (count > 1) {
    const badge = document.createElement('span');
    badge.textContent = formatNumber(count);
    image.append(badge);
  }
  document.body.append(image);
  return image;
}
