import { Button } from '../buttons/button.tsx';
import styles from './banner.module.css';

interface BannerProps {
  text: string;
  /** The label of the button. */
  label: string;
  onAction: () => void;
  /** Warnings are announced at once. */
  tone?: 'info' | 'warning';
}

/** A line above a list that says something about all of it, with a button. */
export function Banner({ text, label, onAction, tone = 'info' }: BannerProps) {
  return (
    <div className={styles.banner} data-tone={tone} role={tone === 'warning' ? 'alert' : 'status'}>
      <span>{text}</span>
      <Button size="small" variant="quiet" onClick={onAction}>
        {label}
      </Button>
    </div>
  );
}
