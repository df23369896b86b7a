import { useState } from 'react';
import { Button } from '../buttons/button.tsx';
import { IconButton } from '../buttons/icon-button.tsx';
import {
  ChevronDown,
  Download,
  Ellipsis,
  Info,
  LayoutGrid,
  List,
  Images,
  Plus,
  Search,
  Share2,
  Trash2,
  Upload,
} from '../icons.ts';
import { Kbd } from '../keyboard/kbd.tsx';
import { SegmentedControl } from '../fields/segmented-control.tsx';
import styles from './kitchen-sink.module.css';

const variants = ['primary', 'secondary', 'quiet', 'danger'] as const;

export function PressParts() {
  const [view, setView] = useState<'list' | 'mosaic' | 'gallery'>('list');
  const [isInfoOpen, setInfoOpen] = useState(true);
  const [isPending, setPending] = useState(true);
  return (
    <>
      {(['large', 'medium', 'small'] as const).map((size) => (
        <div key={size} className={styles.row}>
          {variants.map((variant) => (
            <Button key={variant} variant={variant} size={size}>
              {variant === 'danger' ? 'Delete 3 items' : 'Upload'}
            </Button>
          ))}
          <Button size={size} icon={<Upload />}>
            Upload
          </Button>
          <Button variant="primary" size={size} icon={<Plus />} endIcon={<ChevronDown />}>
            New
          </Button>
        </div>
      ))}
      <div className={styles.row}>
        {variants.map((variant) => (
          <Button key={variant} variant={variant} isDisabled>
            Disabled
          </Button>
        ))}
        {variants.map((variant) => (
          <Button key={variant} variant={variant} isPending={isPending} onClick={() => setPending(true)}>
            Saving
          </Button>
        ))}
        <Button variant="quiet" onClick={() => setPending(!isPending)}>
          Toggle
        </Button>
      </div>
      <div className={styles.row}>
        <IconButton label="Search" shortcut="Mod+K" icon={<Search />} />
        <IconButton label="Share" icon={<Share2 />} />
        <IconButton label="Download" icon={<Download />} isDisabled />
        <IconButton label="Delete" shortcut="Delete" tone="danger" icon={<Trash2 />} />
        <IconButton
          label="Details"
          shortcut="I"
          icon={<Info />}
          isPressed={isInfoOpen}
          onClick={() => setInfoOpen(!isInfoOpen)}
        />
        <IconButton label="Working" icon={<Share2 />} isPending />
        <IconButton label="More" size="small" icon={<Ellipsis />} />
        <SegmentedControl
          label="View"
          value={view}
          onChange={setView}
          options={[
            { value: 'list', label: 'List', icon: <List /> },
            { value: 'mosaic', label: 'Mosaic', icon: <LayoutGrid /> },
            { value: 'gallery', label: 'Gallery', icon: <Images /> },
          ]}
        />
        <Kbd shortcut="Mod+K" />
        <Kbd shortcut="F2" />
        <a href="#parts">A link</a>
      </div>
    </>
  );
}
