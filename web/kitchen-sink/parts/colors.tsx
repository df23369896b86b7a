import type { CSSProperties } from 'react';
import styles from '../kitchen-sink.module.css';

/** The tokens of color (styles/tokens.css) but those of states, which the components show. */
const colors = [
  'canvas',
  'surface',
  'raised',
  'sunken',
  'hover',
  'selected',
  'line',
  'hair',
  'control-line',
  'text',
  'text-muted',
  'text-subtle',
  'accent',
  'on-accent',
  'honey',
  'honey-back',
  'honey-ink',
  'honey-soft',
  'danger',
  'danger-soft',
  'success',
  'success-soft',
  'warning',
  'mark',
  'stage',
];
const types = [
  'hero',
  'display',
  'title',
  'path',
  'dialog',
  'name',
  'body',
  'secondary',
  'section',
  'label',
  'code',
];

export function ColorParts() {
  return (
    <div className={styles.stack}>
      <ul className={styles.colors}>
        {colors.map((color) => (
          <li key={color} className={styles.color} style={{ '--shown': `var(--${color})` } as CSSProperties}>
            {color}
          </li>
        ))}
      </ul>
      <div className={styles.types}>
        {types.map((type) => (
          <div key={type} style={{ font: `var(--type-${type})` }}>
            {type} “The quick” brown fox, 0123456789 — Größe أهلا وسهلا שלום
          </div>
        ))}
      </div>
    </div>
  );
}
