import type { ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs';
import { useLocale } from '../i18n/use-locale.ts';
import styles from './tabs.module.css';

export interface TabsProps<Id extends string> {
  label: string;
  value: Id;
  onChange: (id: Id) => void;
  tabs: readonly { id: Id; label: ReactNode; content: ReactNode }[];
}

/** Tab panels, of which only the selected one is rendered. Not for the first screen. */
export function Tabs<Id extends string>({ label, value, onChange, tabs }: TabsProps<Id>) {
  const { languageTag } = useLocale();
  return (
    <I18nProvider locale={languageTag}>
      <AriaTabs
        className={styles.tabs ?? ''}
        selectedKey={value}
        onSelectionChange={(key) => {
          const chosen = tabs.find(({ id }) => id === key);
          if (chosen) onChange(chosen.id);
        }}
      >
        <TabList aria-label={label} className={styles.list ?? ''}>
          {tabs.map((tab) => (
            <Tab key={tab.id} id={tab.id} className={styles.tab ?? ''}>
              {tab.label}
            </Tab>
          ))}
        </TabList>
        {tabs.map((tab) => (
          <TabPanel key={tab.id} id={tab.id} className={styles.panel ?? ''}>
            {tab.content}
          </TabPanel>
        ))}
      </AriaTabs>
    </I18nProvider>
  );
}
