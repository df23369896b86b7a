import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TrayCard, trayCollapseMs } from './tray-card.tsx';
import { TraySection } from './tray-section.tsx';
import type { TraySummary } from './tray-store.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const labels = {
  tray: 'Activity',
  expand: 'Show',
  collapse: 'Hide',
  alerts: (count: number) => `${count} alerts`,
};
const summary: TraySummary = { title: 'Uploading', progress: 0.5, isBusy: true, size: 1, alerts: 0 };

/** A page with the card and the given sections. */
function Page({ uploads, jobs }: { uploads?: Partial<TraySummary>; jobs?: Partial<TraySummary> }) {
  return (
    <>
      <TrayCard labels={labels} />
      {jobs && (
        <TraySection id="jobs" label="Work" {...summary} title="2 tasks" {...jobs}>
          <p>a copy</p>
        </TraySection>
      )}
      {uploads && (
        <TraySection id="uploads" label="Uploads" {...summary} {...uploads} actions={<button>Pause</button>}>
          <p>a film</p>
        </TraySection>
      )}
    </>
  );
}
const toggle = () => screen.getByRole('button', { expanded: isOpen() });
const isOpen = () => screen.queryByRole('button', { expanded: true }) !== null;
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));

test('shows all sections in one card, headed by the first', () => {
  const page = render(<Page />);
  expect(screen.queryByRole('region')).toBeNull();
  page.rerender(<Page jobs={{}} />);
  expect(toggle().textContent).toBe('2 tasks');
  page.rerender(<Page jobs={{}} uploads={{}} />);
  const card = screen.getByRole('region', { name: 'Activity' });
  expect(card.textContent).toBe('UploadingPausea filma copy');
  expect(screen.getAllByRole('group').map((group) => group.getAttribute('aria-label'))).toEqual([
    'Uploads',
    'Work',
  ]);
  page.rerender(<Page />);
  expect(screen.queryByRole('region')).toBeNull();
});

test('collapses to a button after ten seconds, and opens when something is added', () => {
  const page = render(<Page uploads={{}} />);
  expect(isOpen()).toBe(true);
  wait(trayCollapseMs - 1);
  expect(isOpen()).toBe(true);
  wait(1);
  expect(isOpen()).toBe(false);
  expect(screen.queryByText('a film')).toBeNull();
  expect(toggle().getAttribute('aria-label')).toBe('Uploading. Show');
  page.rerender(<Page uploads={{ progress: 0.9 }} />);
  expect(isOpen()).toBe(false);
  page.rerender(<Page uploads={{ size: 2 }} />);
  expect(isOpen()).toBe(true);
});

test('opens for new work that replaces what has ended', () => {
  const page = render(<Page uploads={{}} />);
  page.rerender(<Page uploads={{ isBusy: false, title: '1 uploaded' }} />);
  wait(trayCollapseMs);
  expect(isOpen()).toBe(false);
  page.rerender(<Page uploads={{}} />);
  expect(isOpen()).toBe(true);
});

test('stays open while the focus is in it', () => {
  render(<Page uploads={{}} />);
  act(() => screen.getByRole('button', { name: 'Pause' }).focus());
  wait(2 * trayCollapseMs);
  expect(isOpen()).toBe(true);
  act(() => screen.getByRole('button', { name: 'Pause' }).blur());
  wait(trayCollapseMs);
  expect(isOpen()).toBe(false);
});

test('names failures in the collapsed button', () => {
  render(<Page uploads={{ alerts: 2, shortTitle: '3 of 10' }} />);
  wait(trayCollapseMs);
  expect(toggle().textContent).toBe('3 of 102');
  expect(toggle().getAttribute('aria-label')).toBe('3 of 10. 2 alerts. Show');
});

test('marks only finished work as done', () => {
  const page = render(<Page uploads={{ isBusy: false }} />);
  wait(trayCollapseMs);
  const icon = () => toggle().querySelector('svg')?.getAttribute('class') ?? '';
  expect(icon()).toContain('circle-check');
  page.rerender(<Page uploads={{ isBusy: false, isWaiting: true }} />);
  expect(icon()).toContain('pause');
  page.rerender(<Page uploads={{ isBusy: false, isWaiting: true, alerts: 1 }} />);
  wait(trayCollapseMs);
  expect(icon()).toContain('circle-alert');
  expect(toggle().querySelectorAll('svg')).toHaveLength(1);
});
