import { Calendar, Camera, MapPin } from '../../../ui/icons.ts';
import type { CaptureItem } from './media-items.ts';
import styles from './details-panel.module.css';

const icons = { date: <Calendar />, place: <MapPin />, camera: <Camera /> };

/** Shows when, where and with which camera a picture was taken, one per line, with an icon as the visible label. */
export function CaptureList({ items }: { items: readonly CaptureItem[] }) {
  return (
    <dl className={styles.capture}>
      {items.map(({ kind, label, value, note }) => (
        <div key={kind}>
          <dt title={label}>
            <span aria-hidden="true">{icons[kind]}</span>
            <span className="visually-hidden">{label}</span>
          </dt>
          <dd>
            {value}
            {note !== undefined && <span className={styles.exact}>{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
