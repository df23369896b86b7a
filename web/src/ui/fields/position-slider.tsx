import type { CSSProperties } from 'react';
import styles from './position-slider.module.css';

interface PositionSliderProps {
  label: string;
  /** The value in words. */
  valueText: string;
  /** From 0 to `max`. */
  value: number;
  /** 0 while it is unknown. */
  max: number;
  step?: number;
  onChange: (value: number) => void;
}

/** A slider on a thin line, for the position in a recording and its volume. */
export function PositionSlider({ label, valueText, value, max, step = 1, onChange }: PositionSliderProps) {
  const position = { '--position': `${max > 0 ? (100 * value) / max : 0}%` };
  return (
    <input
      type="range"
      className={styles.slider}
      aria-label={label}
      aria-valuetext={valueText}
      min={0}
      max={Math.max(step, Math.floor(max / step) * step)}
      step={step}
      value={Math.floor(value / step) * step}
      disabled={max === 0}
      style={position as CSSProperties}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
    />
  );
}
