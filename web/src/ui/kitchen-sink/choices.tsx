import { useState } from 'react';
import { Checkbox } from '../fields/checkbox.tsx';
import { RadioGroup } from '../fields/radio-group.tsx';
import { Switch } from '../fields/switch.tsx';
import { Tabs } from '../tabs.tsx';
import styles from './kitchen-sink.module.css';

export function ChoiceParts() {
  const [isOn, setOn] = useState(true);
  const [isOff, setOff] = useState(false);
  const [view, setView] = useState<'keep' | 'replace' | 'skip'>('keep');
  const [tab, setTab] = useState<'info' | 'versions' | 'links'>('info');
  return (
    <div className={styles.grid}>
      <div className={styles.stack}>
        <Checkbox isSelected={isOn} onChange={setOn}>
          Do the same for 7 more
        </Checkbox>
        <Checkbox isSelected={isOff} onChange={setOff} description="Names that begin with a dot">
          Show hidden files
        </Checkbox>
        <Checkbox isSelected={false} isIndeterminate onChange={setOff}>
          Some of 12
        </Checkbox>
        <Checkbox isSelected isDisabled onChange={setOff}>
          Not now
        </Checkbox>
        <Checkbox aria-label="Without a visible label" isSelected={isOff} onChange={setOff} />
      </div>
      <div className={styles.stack}>
        <Switch isSelected={isOn} onChange={setOn} description="Opens files and folders">
          One click opens
        </Switch>
        <Switch isSelected={isOff} onChange={setOff}>
          Exact dates
        </Switch>
        <Switch isSelected isDisabled onChange={setOff}>
          Decided by the administrator
        </Switch>
      </div>
      <RadioGroup
        label="When a file already exists"
        value={view}
        onChange={setView}
        options={[
          { value: 'keep', label: 'Keep both', description: 'The new one gets a number' },
          { value: 'replace', label: 'Replace' },
          { value: 'skip', label: 'Skip', isDisabled: true },
        ]}
      />
      <Tabs
        label="Details"
        value={tab}
        onChange={setTab}
        tabs={[
          { id: 'info', label: 'Info', content: <p>1.1 MiB, changed today</p> },
          { id: 'versions', label: 'Versions', content: <p>Only this one</p> },
          { id: 'links', label: 'Links', content: <p>No links yet.</p> },
        ]}
      />
    </div>
  );
}
