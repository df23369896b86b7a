import type { Rule } from '@filestead/contract/rules';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { RulesEditor } from './rules-editor.tsx';

const user = userEvent.setup();
const deny = (path: string): Rule => ({ allow: false, regex: false, path, regexp: { raw: '' } });
const pattern = (raw: string): Rule => ({ allow: false, regex: true, path: '', regexp: { raw } });

function Harness({ first, before, refusal }: { first: Rule[]; before?: Rule[]; refusal?: string }) {
  const [rules, setRules] = useState(first);
  return (
    <>
      <RulesEditor
        letterCase="sensitive"
        rules={rules}
        before={before}
        refusal={refusal}
        onChange={setRules}
      />
      <output>{JSON.stringify(rules.map((rule) => [rule.allow, rule.path, rule.regexp?.raw]))}</output>
    </>
  );
}
const stored = (): unknown => JSON.parse(screen.getByText(/^\[/u).textContent);
const field = (label: string) => screen.getByRole('textbox', { name: label });

test('adds a rule that allows an empty path and focuses it; Enter in it does not submit', async () => {
  render(<Harness first={[]} />);
  expect(screen.getByText('No rules: everything in the scope can be seen.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Add a rule' }));
  expect(stored()).toEqual([[true, '', '']]);
  expect(document.activeElement).toBe(field('Path of rule 1'));
  await user.keyboard('/a{Enter}');
  expect(stored()).toEqual([[true, '/a', '']]);
});

test('moves rules with buttons, which keep the focus', async () => {
  render(<Harness first={[deny('/a'), deny('/b'), deny('/c')]} />);
  await user.click(screen.getByRole('button', { name: 'Move rule 3 up' }));
  expect(stored()).toEqual([
    [false, '/a', ''],
    [false, '/c', ''],
    [false, '/b', ''],
  ]);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move rule 2 up' }));
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move rule 1 down' }));
});

test('moves the focus to the neighbor after a deletion, and to the add button after the last one', async () => {
  render(<Harness first={[deny('/a'), deny('/b')]} />);
  await user.click(screen.getByRole('button', { name: 'Delete rule 1' }));
  expect(document.activeElement).toBe(field('Path of rule 1'));
  await user.click(screen.getByRole('button', { name: 'Delete rule 1' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a rule' }));
});

test('shows an invalid path, and a rule that the server refused, in its row', async () => {
  render(<Harness first={[deny('/ok'), pattern('(a')]} refusal="(a: the pattern cannot be used" />);
  expect(screen.getByText(/The server cannot use this pattern/u)).toBeTruthy();
  expect(field('Path of rule 1').getAttribute('aria-invalid')).toBeNull();
  await user.clear(field('Path of rule 1'));
  await user.type(field('Path of rule 1'), '/a/../b');
  expect(field('Path of rule 1').getAttribute('aria-invalid')).toBe('true');
});

test('tests a path with the global rules first, then with these', async () => {
  render(<Harness first={[{ ...deny('/a/b'), allow: true }]} before={[deny('/a')]} />);
  const test = field('Would this path be visible?');
  await user.type(test, '/a/c');
  expect(screen.getByText('A global rule decides.', { exact: false }).textContent).toBe(
    'Hidden A global rule decides.',
  );
  await user.clear(test);
  await user.type(test, '/a/b/c');
  expect(screen.getByText('Rule 1 decides.', { exact: false }).textContent).toBe('Visible Rule 1 decides.');
});
