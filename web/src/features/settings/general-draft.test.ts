import { SettingsResponse } from '@filestead/contract/settings';
import { expect, test } from 'vitest';
import { generalDraftOf, withGeneral, invalidFieldsOf } from './general-draft.ts';

const settings = SettingsResponse.parse({
  authMethod: 'json',
  letterCase: 'sensitive',
  defaults: { perm: {} },
  branding: { followsSystem: true, theme: '' },
  commands: { after_save: ['make'] },
});
const draft = generalDraftOf(settings);

test('saves untouched values unchanged', () => {
  expect(invalidFieldsOf(draft)).toEqual([]);
  expect(withGeneral(settings, draft)).toEqual(settings);
});

test('sends both the light and the system’s theme as the empty one', () => {
  for (const [theme, sent, followsSystem] of [
    ['light', '', false],
    ['', '', true],
    ['dark', 'dark', false],
  ] as const) {
    const saved = withGeneral(settings, { ...draft, theme });
    expect(saved.branding).toMatchObject({ theme: sent, followsSystem });
    expect(generalDraftOf(saved).theme).toBe(theme);
  }
});

test('converts texts to the values of the API', () => {
  const edited = {
    ...draft,
    shell: '  bash   -c ',
    chunkSize: '5 MB',
    retryCount: ' 3',
    name: ' Our files ',
  };
  expect(withGeneral(settings, edited)).toMatchObject({
    shell: ['bash', '-c'],
    tus: { chunkSize: 5 * 1024 * 1024, retryCount: 3 },
    branding: { name: 'Our files' },
    commands: { after_save: ['make'] },
  });
});

test('accepts an empty default duration of shares, which means no expiry', () => {
  const withDuration = (shareDuration: string) => ({ ...draft, shareDuration, shareUnit: 'days' as const });
  expect(invalidFieldsOf(withDuration(''))).toEqual([]);
  expect(withGeneral(settings, withDuration(' ')).shareDefaults).toEqual({ duration: 0, unit: 'days' });
  expect(withGeneral(settings, withDuration(' 7 ')).shareDefaults).toEqual({ duration: 7, unit: 'days' });
});

test('accepts a web page, an e-mail address or nothing as the address for problem reports', () => {
  const addresses = ['https://example.org/new', ' mailto:help@example.org ', ''];
  expect(addresses.flatMap((reportURL) => invalidFieldsOf({ ...draft, reportURL }))).toEqual([]);
});

test.each([
  ['userHomeBasePath', '/a/../b'],
  ['minimumPasswordLength', '0'],
  ['minimumPasswordLength', '8.5'],
  ['minimumPasswordLength', ''],
  ['color', 'red; }'],
  ['reportURL', 'example.org/issues'],
  ['reportURL', 'javascript:alert(1)'],
  ['chunkSize', 'ten'],
  ['retryCount', '101'],
  ['retryCount', '-1'],
  ['shareDuration', '2147483648'],
  ['shareDuration', '-1'],
  ['shareDuration', '1.5'],
] as const)('refuses a %s of %s', (field, text) => {
  expect(invalidFieldsOf({ ...draft, [field]: text })).toEqual([field]);
});
