import { useState } from 'react';
import { Select } from '../../src/ui/fields/select.tsx';
import { TextArea, TextField } from '../../src/ui/fields/text-field.tsx';
import { Search } from '../../src/ui/icons.ts';
import { Kbd } from '../../src/ui/keyboard/kbd.tsx';
import { Card, CardPart } from '../../src/ui/card.tsx';
import { Switch } from '../../src/ui/fields/switch.tsx';
import styles from '../kitchen-sink.module.css';
import { States } from './states.tsx';

const languages = [
  { value: 'en', label: 'English', lang: 'en' },
  { value: 'de', label: 'Deutsch', lang: 'de' },
  { value: 'ar', label: 'العربية', lang: 'ar' },
  { value: 'he', label: 'עברית', lang: 'he' },
  { value: 'ja', label: '日本語', lang: 'ja' },
] as const;
type Language = (typeof languages)[number]['value'];

function Fields() {
  const [name, setName] = useState('Lisbon.jpg');
  const [language, setLanguage] = useState<Language | null>('en');
  return (
    <div className={styles.stack}>
      <TextField label="Name" value={name} onChange={setName} />
      <Select label="Language" value={language} onChange={setLanguage} options={languages} />
      <TextField
        label="New name"
        value="budget.csv"
        onChange={() => undefined}
        errorMessage="“budget.csv” already exists here."
      />
    </div>
  );
}

export function FieldParts() {
  const [empty, setEmpty] = useState('');
  const [password, setPassword] = useState('correct horse');
  const [rules, setRules] = useState('/private\n/photos/2024');
  const [isOn, setOn] = useState(true);
  return (
    <div className={styles.stack}>
      <States>
        <Fields />
      </States>
      <div className={styles.grid}>
        <TextField
          label="Folder name"
          value={empty}
          onChange={setEmpty}
          placeholder="Holidays"
          description="It appears beside the other folders."
        />
        <TextField
          label="Password"
          type="password"
          value={password}
          onChange={setPassword}
          autoComplete="off"
        />
        <TextField
          label="Repeat the password"
          type="password"
          value={password}
          onChange={setPassword}
          autoComplete="off"
          isValid
        />
        <TextField
          label="Search in Lisbon"
          isLabelHidden
          type="search"
          size="large"
          icon={<Search />}
          end={<Kbd shortcut="Mod+K" />}
          placeholder="Search in Lisbon"
          value={empty}
          onChange={setEmpty}
        />
        <TextField label="Scope" value="/home/ana" onChange={setEmpty} isDisabled />
        <Select
          label="Expires"
          value={null}
          onChange={() => undefined}
          options={[
            { value: 'never', label: 'Never' },
            { value: 'day', label: 'In one day', description: 'Tomorrow at this time' },
          ]}
          errorMessage="Choose when the link expires."
        />
        <Select label="Role" value="en" onChange={() => undefined} options={languages} isDisabled />
        <TextArea label="Hidden paths" isCode value={rules} onChange={setRules} description="One per line." />
      </div>
      <Card title="A section of settings" description="One row per decision.">
        <CardPart title="Opening">
          <Switch isSelected={isOn} onChange={setOn} description="Opens files and folders">
            Open with a single click
          </Switch>
          <TextField label="Folder" value="/home/ana" onChange={setEmpty} description="Where it starts." />
        </CardPart>
      </Card>
    </div>
  );
}
