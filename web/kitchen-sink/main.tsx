import { StrictMode, useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { showLocale } from '../src/i18n/i18n.ts';
import '../src/styles/index.css';
import { chooseTheme, startTheme, themeChoices, useTheme } from '../src/styles/theme.ts';
import { Button } from '../src/ui/buttons/button.tsx';
import { ToastRegion } from '../src/ui/feedback/toast-region.tsx';
import { SegmentedControl } from '../src/ui/fields/segmented-control.tsx';
import styles from './kitchen-sink.module.css';
import { ButtonParts } from './parts/buttons.tsx';
import { ChoiceParts } from './parts/choices.tsx';
import { ColorParts } from './parts/colors.tsx';
import { DisplayParts } from './parts/displays.tsx';
import { FeedbackParts } from './parts/feedback.tsx';
import { FieldParts } from './parts/fields.tsx';
import { FileParts } from './parts/files.tsx';
import { OverlayParts } from './parts/overlays.tsx';

type Language = 'en' | 'ar';

/** All components in all states on one page, for visual and automated checks. Not part of the product. */
function KitchenSink({ first }: { first: Language }) {
  const [theme] = useTheme();
  const [language, setLanguage] = useState(first);
  const switchLanguage = async () => {
    const next = language === 'en' ? 'ar' : 'en';
    await showLocale(next, []);
    setLanguage(next);
  };
  return (
    // Numbers and dates are formatted while rendering, so another language renders everything again.
    <div key={language} className={styles.page}>
      <header className={styles.bar}>
        <h1 className={styles.title}>Parts of the interface</h1>
        <SegmentedControl
          label="Theme"
          value={theme}
          onChange={chooseTheme}
          options={themeChoices.map((choice) => ({ value: choice, label: choice }))}
        />
        <Button onClick={() => void switchLanguage()}>
          {language === 'en' ? 'Right to left' : 'Left to right'}
        </Button>
      </header>
      <Group title="Colors and type">
        <ColorParts />
      </Group>
      <Group title="Buttons">
        <ButtonParts />
      </Group>
      <Group title="Fields">
        <FieldParts />
      </Group>
      <Group title="Choices">
        <ChoiceParts />
      </Group>
      <Group title="Files">
        <FileParts />
      </Group>
      <Group title="Displays">
        <DisplayParts />
      </Group>
      <Group title="Feedback">
        <FeedbackParts />
      </Group>
      <Group title="Menus, dialogs, notices">
        <OverlayParts />
      </Group>
      <ToastRegion />
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.group} aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
    </section>
  );
}

startTheme('');
const language = new URLSearchParams(location.search).get('language') === 'ar' ? 'ar' : 'en';
await showLocale(language, []);
const container = document.getElementById('parts');
if (container === null) throw new Error('The page has no element for the parts.');
createRoot(container).render(
  <StrictMode>
    <KitchenSink first={language} />
  </StrictMode>,
);
