import { act, render, screen } from '@testing-library/react';
import { useTranslation } from './use-translation.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Texts } from './english-fallback.ts';
import { addLocale, currentLocale, i18n, loadTexts, showLocale } from './i18n.ts';
import { useLocale } from './use-locale.ts';

const arabic = {
  common: {
    cancel: 'إلغاء',
    selectedCount_zero: 'لا شيء',
    selectedCount_one: 'عنصر واحد',
    selectedCount_two: 'عنصران',
    selectedCount_few: '{{number}} عناصر',
    selectedCount_many: '{{number}} عنصرًا',
    selectedCount_other: '{{number}} عنصر',
  },
};

beforeEach(() => {
  addLocale('ar', () => Promise.resolve({ texts: arabic }));
});
afterEach(async () => {
  await showLocale('en', []);
});

function Page() {
  const { t } = useTranslation('common');
  const { direction } = useLocale();
  return (
    <p>
      {t('cancel')} {direction} {t('close')}
    </p>
  );
}

test('changes language and direction together, and back, without a reload', async () => {
  render(<Page />);
  expect(screen.getByText('Cancel ltr Close')).toBeTruthy();

  await act(() => showLocale('ar', []));
  // Texts that are missing in Arabic are shown in English.
  expect(screen.getByText('إلغاء rtl Close')).toBeTruthy();
  expect(document.documentElement).toMatchObject({ lang: 'ar', dir: 'rtl' });
  expect(document.body.classList.contains('rtl')).toBe(true);

  await act(() => showLocale('en', []));
  expect(screen.getByText('Cancel ltr Close')).toBeTruthy();
  expect(document.documentElement).toMatchObject({ lang: 'en-GB', dir: 'ltr' });
  expect(document.body.classList.contains('rtl')).toBe(false);
});

test.each([
  [0, 'لا شيء'],
  [1, 'عنصر واحد'],
  [2, 'عنصران'],
  [3, '3 عناصر'],
  [11, '11 عنصرًا'],
  [100, '100 عنصر'],
])('uses the six plural forms of Arabic: %i', async (count, text) => {
  await showLocale('ar', []);
  expect(i18n.t('selectedCount', { count, number: String(count) })).toBe(text);
});

test('shows the last choice even if the texts of an earlier one arrive later', async () => {
  let arrive: () => void = () => undefined;
  const texts = new Promise<{ texts: Texts }>((resolve) => (arrive = () => resolve({ texts: {} })));
  addLocale('he', () => texts);
  const slow = showLocale('he', []);
  await showLocale('en', []);
  arrive();
  expect(await slow).toBe('en');
  expect(currentLocale()).toBe('en');
  expect(document.documentElement.dir).toBe('ltr');
});

test('keeps the page as it is if texts cannot be loaded, and allows another attempt', async () => {
  addLocale('fr', () => Promise.reject(new Error('offline')));
  await expect(showLocale('fr', [])).rejects.toThrow('offline');
  expect(currentLocale()).toBe('en');
  addLocale('fr', () => Promise.resolve({ texts: { common: { cancel: 'Annuler' } } }));
  expect(await showLocale('fr', [])).toBe('fr');
  expect(i18n.t('cancel')).toBe('Annuler');
});

test('ignores an unknown locale', async () => {
  expect(await showLocale('tlh', ['ar'])).toBe('ar');
});

test('loads the texts of a lazy part in the language of the page, and follows its changes', async () => {
  addLocale('he', async () => ({ texts: { common: {}, previews: { close: 'סגירה' } } }));
  await showLocale('he', []);
  expect(i18n.hasTexts('he', 'previews')).toBe(false);
  await loadTexts('previews');
  expect(i18n.t('close', { ns: 'previews' })).toBe('סגירה');
  addLocale('ar', async () => ({ texts: { common: {}, previews: { close: 'إغلاق' } } }));
  await showLocale('ar', []);
  expect(i18n.t('close', { ns: 'previews' })).toBe('إغلاق');
});
