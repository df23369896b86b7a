import { StrictMode, useEffect, useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { addLocale, showLocale } from '../i18n/i18n.ts';
import '../styles/index.css';
import { chooseTheme, startTheme, themeChoices, useTheme } from '../styles/theme.ts';
import { Button } from './buttons/button.tsx';
import { ChoiceParts } from './kitchen-sink/choices.tsx';
import { DisplayParts } from './kitchen-sink/displays.tsx';
import { FieldParts } from './kitchen-sink/fields.tsx';
import { OverlayParts } from './kitchen-sink/overlays.tsx';
import { PressParts } from './kitchen-sink/presses.tsx';
import styles from './kitchen-sink/kitchen-sink.module.css';
import { SegmentedControl } from './fields/segmented-control.tsx';
import { ToastRegion } from './feedback/toast-region.tsx';

/** All components in all states on one page, for visual and automated checks. Served in development only. */
function KitchenSink() {
  const [theme] = useTheme();
  const [language, setLanguage] = useState<'en' | 'ar'>('en');
  useEffect(() => {
    void showLocale(language, []);
  }, [language]);
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <h1 className={styles.title}>Parts of the interface</h1>
        <SegmentedControl
          label="Theme"
          value={theme}
          onChange={chooseTheme}
          options={themeChoices.map((choice) => ({ value: choice, label: choice }))}
        />
        <Button onClick={() => setLanguage(language === 'en' ? 'ar' : 'en')}>
          {language === 'en' ? 'Right to left' : 'Left to right'}
        </Button>
      </header>
      <Group title="Buttons">
        <PressParts />
      </Group>
      <Group title="Fields">
        <FieldParts />
      </Group>
      <Group title="Choices">
        <ChoiceParts />
      </Group>
      <Group title="Menus, dialogs, notifications">
        <OverlayParts />
      </Group>
      <Group title="Displays">
        <DisplayParts />
      </Group>
      <ToastRegion />
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.group}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
    </section>
  );
}

startTheme('');
// Without Arabic texts: English ones from right to left, and numbers in Arabic notation.
addLocale('ar', () => Promise.resolve({ texts: { common: {} } }));
const place = document.getElementById('parts');
if (place) {
  createRoot(place).render(
    <StrictMode>
      <KitchenSink />
    </StrictMode>,
  );
}
