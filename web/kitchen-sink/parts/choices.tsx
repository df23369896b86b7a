import { useState } from 'react';
import { Checkbox } from '../../src/ui/fields/checkbox.tsx';
import { RadioGroup } from '../../src/ui/fields/radio-group.tsx';
import { Switch } from '../../src/ui/fields/switch.tsx';
import { Tabs } from '../../src/ui/tabs.tsx';
import styles from '../kitchen-sink.module.css';
import { States } from './states.tsx';

function Choices() {
  const [isOn, setOn] = useState(true);
  const [isOff, setOff] = useState(false);
  const [answer, setAnswer] = useState<'keep' | 'replace'>('keep');
  return (
    <div className={styles.stack}>
      <Checkbox isSelected={isOn} onChange={setOn}>
        Do the same for 7 more
      </Checkbox>
      <Checkbox isSelected={isOff} onChange={setOff}>
        Show hidden files
      </Checkbox>
      <Checkbox isSelected={false} isIndeterminate onChange={setOff}>
        Some of 12
      </Checkbox>
      <Switch isSelected={isOn} onChange={setOn}>
        Open with a single click
      </Switch>
      <Switch isSelected={isOff} onChange={setOff}>
        Exact dates
      </Switch>
      <RadioGroup
        label="If a file exists"
        value={answer}
        onChange={setAnswer}
        options={[
          { value: 'keep', label: 'Keep both' },
          { value: 'replace', label: 'Replace' },
        ]}
      />
    </div>
  );
}

export function ChoiceParts() {
  const [tab, setTab] = useState<'info' | 'versions' | 'links'>('info');
  return (
    <div className={styles.stack}>
      <States>
        <Choices />
      </States>
      <div className={styles.grid}>
        <div className={styles.stack}>
          <Checkbox isSelected isDisabled onChange={() => undefined}>
            Checked and disabled
          </Checkbox>
          <Checkbox
            isSelected={false}
            isDisabled
            onChange={() => undefined}
            description="Names that begin with a dot"
          >
            Disabled, with a description
          </Checkbox>
          <Checkbox aria-label="Without a visible label" isSelected onChange={() => undefined} />
        </div>
        <div className={styles.stack}>
          <Switch isSelected isDisabled onChange={() => undefined}>
            On, decided by the administrator
          </Switch>
          <Switch
            isSelected={false}
            isDisabled
            onChange={() => undefined}
            description="Opens files and folders"
          >
            Off, with a description
          </Switch>
        </div>
        <RadioGroup
          label="When a file already exists"
          value="keep"
          onChange={() => undefined}
          options={[
            { value: 'keep', label: 'Keep both', description: 'The new one gets a number' },
            { value: 'replace', label: 'Replace' },
            { value: 'skip', label: 'Skip', isDisabled: true },
          ]}
        />
      </div>
      <States>
        <Tabs
          label="Details"
          value={tab}
          onChange={setTab}
          tabs={[
            { id: 'info', label: 'Info', content: <p>1.1 MB, changed today</p> },
            { id: 'versions', label: 'Versions', content: <p>Only this one</p> },
            { id: 'links', label: 'Links', content: <p>No links yet</p> },
          ]}
        />
      </States>
    </div>
  );
}
