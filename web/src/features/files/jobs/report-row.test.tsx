import { deniedBySystem } from '@filestead/contract/errors';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { pageConfig } from '../../../api/page-config.ts';
import { ReportRow } from './report-row.tsx';
import type { Report } from './reports.ts';

const user = userEvent.setup();
const { ReportURL } = pageConfig;
afterEach(() => {
  Object.assign(pageConfig, { ReportURL });
});
const reportOf = (change: Partial<Report> = {}): Report => ({
  id: 'report 1',
  kind: 'copy',
  total: 9,
  failed: 3,
  failures: [
    { path: '/docs/a.txt', code: 'forbidden' },
    { path: '/docs/b.txt', code: 'already_exists' },
    { path: '/docs/c.txt', code: 'forbidden', detail: deniedBySystem },
  ],
  ...change,
});

test('shows how many items failed, and on request which and why', async () => {
  render(<ReportRow report={reportOf()} />);
  expect(screen.getByText('3 of 9 items were not copied.')).toBeTruthy();
  expect(screen.queryByRole('list')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show why' }));
  const rows = within(screen.getByRole('list', { name: 'Failures and their reasons' })).getAllByRole(
    'listitem',
  );
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "a.txtYou don't have permission for this. Ask an administrator if you need it.",
    'b.txtSomething with this name exists already. Choose another name.',
    'c.txtThe server itself may not do this. Check the owner and the permissions on the server.',
  ]);
  await user.click(screen.getByRole('button', { name: 'Hide' }));
  expect(screen.queryByRole('list')).toBeNull();
});

test('lists fifty of many failures and counts the others', async () => {
  const failures = Array.from({ length: 60 }, (_, index) => ({ path: `/${index}.txt`, code: 'forbidden' }));
  render(<ReportRow report={reportOf({ total: 70, failed: 65, failures })} />);
  await user.click(screen.getByRole('button', { name: 'Show why' }));
  const rows = screen.getAllByRole('listitem');
  expect([rows.length, rows.at(-1)?.textContent]).toEqual([51, 'and 15 more']);
});

test('offers to retry, to close, and to report where an address is configured', async () => {
  const retry = vi.fn<() => void>();
  const onClose = vi.fn<() => void>();
  const { rerender } = render(<ReportRow report={reportOf({ retry })} onClose={onClose} />);
  expect(screen.queryByRole('link', { name: 'Report issue' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(retry).toHaveBeenCalledTimes(1);
  await user.click(screen.getByRole('button', { name: 'Close this report' }));
  expect(onClose).toHaveBeenCalledTimes(1);
  Object.assign(pageConfig, { ReportURL: 'https://example.com/report' });
  rerender(<ReportRow report={reportOf()} onClose={onClose} />);
  expect(screen.getByRole('link', { name: 'Report issue' }).getAttribute('href')).toBe(
    'https://example.com/report',
  );
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});
