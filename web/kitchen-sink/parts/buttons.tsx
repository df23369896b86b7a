import { useState } from 'react';
import { Button } from '../../src/ui/buttons/button.tsx';
import { IconButton } from '../../src/ui/buttons/icon-button.tsx';
import { LinkButton } from '../../src/ui/buttons/link-button.tsx';
import { SegmentedControl } from '../../src/ui/fields/segmented-control.tsx';
import {
  ChevronDown,
  Download,
  Ellipsis,
  Images,
  Info,
  LayoutGrid,
  List,
  Plus,
  Search,
  Share2,
  Trash2,
  Upload,
} from '../../src/ui/icons.ts';
import { Kbd } from '../../src/ui/keyboard/kbd.tsx';
import styles from '../kitchen-sink.module.css';
import { States } from './states.tsx';

const variants = ['primary', 'secondary', 'quiet', 'danger'] as const;

function ViewSwitch() {
  const [view, setView] = useState<'list' | 'mosaic' | 'gallery'>('list');
  return (
    <SegmentedControl
      label="View"
      value={view}
      onChange={setView}
      options={[
        { value: 'list', label: 'List', icon: <List /> },
        { value: 'mosaic', label: 'Tiles', icon: <LayoutGrid /> },
        { value: 'gallery', label: 'Photos', icon: <Images /> },
      ]}
    />
  );
}

export function ButtonParts() {
  const [isInfoOpen, setInfoOpen] = useState(true);
  return (
    <div className={styles.stack}>
      <States>
        {variants.map((variant) => (
          <Button key={variant} variant={variant}>
            {variant === 'danger' ? 'Delete 3 items' : 'Upload'}
          </Button>
        ))}
      </States>
      {(['large', 'medium', 'small'] as const).map((size) => (
        <div key={size} className={styles.row}>
          <Button size={size} icon={<Upload />}>
            Upload
          </Button>
          <Button variant="primary" size={size} icon={<Plus />} endIcon={<ChevronDown />}>
            New
          </Button>
          <LinkButton href="#parts" size={size} icon={<Download />}>
            Download
          </LinkButton>
        </div>
      ))}
      <div className={styles.row}>
        {variants.map((variant) => (
          <Button key={variant} variant={variant} isDisabled>
            Disabled
          </Button>
        ))}
        {variants.map((variant) => (
          <Button key={variant} variant={variant} isPending>
            Saving
          </Button>
        ))}
      </div>
      <Button variant="primary" isFullWidth>
        As wide as its container
      </Button>
      <States>
        <IconButton label="Search" shortcut="Mod+K" icon={<Search />} />
        <IconButton label="Delete" shortcut="Delete" tone="danger" icon={<Trash2 />} />
        <IconButton
          label="Details"
          icon={<Info />}
          isPressed={isInfoOpen}
          onClick={() => setInfoOpen(!isInfoOpen)}
        />
        <IconButton label="More" size="small" icon={<Ellipsis />} />
      </States>
      <div className={styles.row}>
        <IconButton label="Share" size="large" icon={<Share2 />} />
        <IconButton label="Download" icon={<Download />} isDisabled />
        <IconButton label="Sharing" icon={<Share2 />} isPending />
        <Kbd shortcut="Mod+K" />
        <Kbd shortcut="F2" />
      </div>
      <States>
        <ViewSwitch />
        <a href="#parts">A link</a>
      </States>
    </div>
  );
}
