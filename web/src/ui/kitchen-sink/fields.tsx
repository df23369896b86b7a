import { useState } from 'react';
import { Search } from '../icons.ts';
import { Kbd } from '../keyboard/kbd.tsx';
import { Select } from '../fields/select.tsx';
import { TextArea, TextField } from '../fields/text-field.tsx';
import styles from './kitchen-sink.module.css';

const languages = [
  { value: 'en', label: 'English', lang: 'en' },
  { value: 'de', label: 'Deutsch', lang: 'de' },
  { value: 'ar', label: 'العربية', lang: 'ar' },
  { value: 'he', label: 'עברית', lang: 'he' },
  { value: 'ja', label: '日本語', lang: 'ja' },
] as const;

export function FieldParts() {
  const [name, setName] = useState('Lisbon.jpg');
  const [empty, setEmpty] = useState('');
  const [password, setPassword] = useState('correct horse');
  const [rules, setRules] = useState('/private\n/photos/2024');
  const [language, setLanguage] = useState<(typeof languages)[number]['value'] | null>('en');
  return (
    <div className={styles.grid}>
      <TextField label="Name" value={name} onChange={setName} />
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
        label="New name"
        value="budget.csv"
        onChange={() => undefined}
        errorMessage="'budget.csv' already exists here. Choose another name."
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
      <TextField label="Scope" value="/home/ana" onChange={setName} isDisabled />
      <Select label="Language" value={language} onChange={setLanguage} options={languages} />
      <Select
        label="Ends"
        value={null}
        onChange={() => undefined}
        options={[
          { value: 'never', label: 'Never' },
          { value: 'day', label: 'In one day', description: 'Tomorrow at this time' },
        ]}
        errorMessage="Say when the link ends."
      />
      <Select label="Role" value="en" onChange={setLanguage} options={languages} isDisabled />
      <TextArea label="Hidden paths" isCode value={rules} onChange={setRules} description="One per line." />
    </div>
  );
}
