import { act, render, screen } from '@testing-library/react';
import { useTranslation } from 'react-i18next';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addLocale, availableLocales, currentLocale, i18n, showLocale } from './i18n.ts';
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

test('the page changes language and direction together, and back, without being loaded again', async () => {
  render(<Page />);
  expect(screen.getByText('Cancel ltr Close')).toBeTruthy();

  await act(() => showLocale('ar', []));
  // What has no Arabic text is shown in English.
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
])('Arabic has six plurals: %i', async (count, text) => {
  await showLocale('ar', []);
  expect(i18n.t('selectedCount', { count, number: String(count) })).toBe(text);
});

test('the last choice wins, however late the texts of an earlier one come', async () => {
  let arrive: (loaded: { texts: object }) => void = () => undefined;
  addLocale('he', () => new Promise((resolve) => (arrive = () => resolve({ texts: { common: {} } }))));
  const slow = showLocale('he', []);
  await showLocale('en', []);
  arrive({ texts: {} });
  expect(await slow).toBe('en');
  expect(currentLocale()).toBe('en');
  expect(document.documentElement.dir).toBe('ltr');
});

test('when texts cannot be loaded the page stays as it is, and another try can succeed', async () => {
  addLocale('fr', () => Promise.reject(new Error('offline')));
  await expect(showLocale('fr', [])).rejects.toThrow('offline');
  expect(currentLocale()).toBe('en');
  addLocale('fr', () => Promise.resolve({ texts: { common: { cancel: 'Annuler' } } }));
  expect(await showLocale('fr', [])).toBe('fr');
  expect(i18n.t('cancel')).toBe('Annuler');
});

test('a locale without texts is not offered and not chosen', async () => {
  expect(availableLocales().has('ja')).toBe(false);
  expect(await showLocale('ja', ['ar'])).toBe('ar');
});
