import type { CSSProperties } from 'react';
import styles from '../kitchen-sink.module.css';

/** The tokens of colour (styles/tokens.css) but those of states, which the components show. */
const colours = [
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

export function ColourParts() {
  return (
    <div className={styles.stack}>
      <ul className={styles.colours}>
        {colours.map((colour) => (
          <li
            key={colour}
            className={styles.colour}
            style={{ '--shown': `var(--${colour})` } as CSSProperties}
          >
            {colour}
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
