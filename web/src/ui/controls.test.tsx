import { act, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { initialsOf } from './names/avatar.tsx';
import { Button } from './buttons/button.tsx';
import { Checkbox } from './fields/checkbox.tsx';
import { IconButton } from './buttons/icon-button.tsx';
import { ProgressBar } from './feedback/progress-bar.tsx';
import { RadioGroup } from './fields/radio-group.tsx';
import { SegmentedControl } from './fields/segmented-control.tsx';
import { Switch } from './fields/switch.tsx';
import { TextField } from './fields/text-field.tsx';
import { useDelayedFlag } from './hooks/use-delayed-flag.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('keeps the focus on a pending button and ignores presses', () => {
  const onClick = vi.fn<() => void>();
  const { rerender } = render(<Button onClick={onClick}>Save</Button>);
  const button = screen.getByRole('button', { name: 'Save' });
  button.focus();
  fireEvent.click(button);
  rerender(
    <Button onClick={onClick} isPending>
      Save
    </Button>,
  );
  fireEvent.click(button);
  expect(onClick).toHaveBeenCalledTimes(1);
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute('aria-busy')).toBe('true');
});

describe('a tooltip', () => {
  const point = (element: Element, type: 'Enter' | 'Leave', pointerType = 'mouse') =>
    act(() => {
      fireEvent[`pointer${type}`](element, { pointerType });
    });
  const advance = (ms: number) => act(() => vi.advanceTimersByTime(ms));

  test('appears after 400 ms with name and key, and closes by Escape', () => {
    vi.useFakeTimers();
    render(<IconButton label="Search" shortcut="Mod+K" icon={<i />} />);
    const button = screen.getByRole('button', { name: 'Search' });
    expect(button.getAttribute('aria-keyshortcuts')).toBe('Control+K');
    point(button, 'Enter');
    advance(399);
    expect(screen.queryByRole('tooltip')).toBeNull();
    advance(1);
    expect(screen.getByRole('tooltip').textContent).toBe('SearchCtrl+K');
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  test('stays while the pointer is on it, and closes when the pointer leaves', () => {
    vi.useFakeTimers();
    render(<IconButton label="Search" icon={<i />} />);
    const button = screen.getByRole('button', { name: 'Search' });
    point(button, 'Enter');
    advance(400);
    point(button, 'Leave');
    point(screen.getByRole('tooltip'), 'Enter');
    advance(1000);
    point(screen.getByRole('tooltip'), 'Leave');
    advance(100);
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  test('does not appear by touch or after a press', () => {
    vi.useFakeTimers();
    render(<IconButton label="Search" icon={<i />} />);
    const button = screen.getByRole('button', { name: 'Search' });
    point(button, 'Enter', 'touch');
    advance(1000);
    expect(screen.queryByRole('tooltip')).toBeNull();
    point(button, 'Enter');
    fireEvent.pointerDown(button);
    advance(1000);
    expect(screen.queryByRole('tooltip')).toBeNull();
  });
});

describe('a text field', () => {
  test('is associated with its label, its help and its error', () => {
    const { rerender } = render(
      <TextField label="Name" description="Seen by all" value="" onChange={() => undefined} />,
    );
    const input = screen.getByRole('textbox', { name: 'Name', description: 'Seen by all' });
    expect(input.getAttribute('aria-invalid')).toBeNull();
    rerender(
      <TextField label="Name" errorMessage="Choose another name." value="" onChange={() => undefined} />,
    );
    expect(screen.getByRole('textbox', { name: 'Name', description: 'Choose another name.' })).toBe(input);
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole('alert').textContent).toBe('Choose another name.');
  });

  test('has the direction of its text, and while it is empty that of the page', () => {
    const { rerender } = render(<TextField label="Find" type="search" value="" onChange={() => undefined} />);
    const input = screen.getByRole('searchbox', { name: 'Find' });
    expect(input.getAttribute('dir')).toBeNull();
    rerender(<TextField label="Find" type="search" value="tram" onChange={() => undefined} />);
    expect(input.getAttribute('dir')).toBe('auto');
  });

  test('can show a password', async () => {
    render(<TextField label="Password" type="password" value="secret" onChange={() => undefined} />);
    const input = screen.getByLabelText('Password');
    expect(input.getAttribute('type')).toBe('password');
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(input.getAttribute('type')).toBe('text');
    await userEvent.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(input.getAttribute('type')).toBe('password');
  });
});

test('exposes the state of checkbox, switch, radio and segments and changes it by keyboard', async () => {
  function Choices() {
    const [isChecked, setChecked] = useState(false);
    const [isOn, setOn] = useState(true);
    const [choice, setChoice] = useState<'keep' | 'skip'>('keep');
    const [view, setView] = useState<'list' | 'grid'>('list');
    return (
      <>
        <Checkbox isSelected={isChecked} onChange={setChecked}>
          Remaining
        </Checkbox>
        <Switch isSelected={isOn} onChange={setOn}>
          Exact dates
        </Switch>
        <RadioGroup
          label="Conflict"
          value={choice}
          onChange={setChoice}
          options={[
            { value: 'keep', label: 'Keep both' },
            { value: 'skip', label: 'Skip' },
          ]}
        />
        <SegmentedControl
          label="View"
          value={view}
          onChange={setView}
          options={[
            { value: 'list', label: 'List', icon: <i /> },
            { value: 'grid', label: 'Grid', icon: <i /> },
          ]}
        />
      </>
    );
  }
  render(<Choices />);
  await userEvent.tab();
  await userEvent.keyboard(' ');
  expect(screen.getByRole('checkbox', { name: 'Remaining', checked: true })).toBe(document.activeElement);
  await userEvent.tab();
  await userEvent.keyboard(' ');
  expect(screen.getByRole('switch', { name: 'Exact dates', checked: false })).toBe(document.activeElement);
  await userEvent.tab();
  await userEvent.keyboard('{ArrowDown}');
  expect(screen.getByRole('radio', { name: 'Skip', checked: true })).toBe(document.activeElement);
  await userEvent.tab();
  await userEvent.keyboard('{ArrowRight}');
  expect(screen.getByRole('radio', { name: 'Grid', checked: true })).toBe(document.activeElement);
});

test('disables a choice that has no effect, and says why', async () => {
  const onChange = vi.fn();
  render(
    <SegmentedControl
      label="View"
      value="list"
      onChange={onChange}
      options={[
        { value: 'list', label: 'List', icon: <i /> },
        { value: 'grid', label: 'Grid', icon: <i /> },
      ]}
      disabledReason="Always a list"
    />,
  );
  const grid = screen.getByRole<HTMLInputElement>('radio', { name: 'Grid' });
  expect(grid.disabled).toBe(true);
  await userEvent.hover(grid);
  expect(await screen.findByText('Always a list')).toBeTruthy();
  await userEvent.click(grid);
  expect(onChange).not.toHaveBeenCalled();
});

test('exposes a partly selected checkbox as mixed', () => {
  render(<Checkbox aria-label="All" isSelected={false} isIndeterminate onChange={() => undefined} />);
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'All' }).indeterminate).toBe(true);
});

test.each([
  [0.404, '40', '40%'],
  [-1, '0', '0%'],
  [7, '100', '100%'],
  ['indeterminate', null, null],
] as const)('exposes the progress %s', (value, now, text) => {
  render(<ProgressBar label="Upload" value={value} />);
  const bar = screen.getByRole('progressbar', { name: 'Upload' });
  expect(bar.getAttribute('aria-valuenow')).toBe(now);
  expect(bar.getAttribute('aria-valuetext')).toBe(text);
});

test.each([
  ['Ana Lisboa', 'AL'],
  ['ben', 'B'],
  ['ana.maria@lisboa', 'AL'],
  ['', ''],
  ['𝒜da 王', '𝒜王'],
])('derives the initials of %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test('shows a placeholder late and long enough to be seen', () => {
  vi.useFakeTimers();
  function Rows({ isLoading }: { isLoading: boolean }) {
    return <p>{useDelayedFlag(isLoading) ? 'skeleton' : 'nothing'}</p>;
  }
  const advance = (ms: number) => act(() => vi.advanceTimersByTime(ms));
  const { rerender, container } = render(<Rows isLoading />);
  advance(199);
  expect(container.textContent).toBe('nothing');
  advance(1);
  expect(container.textContent).toBe('skeleton');
  rerender(<Rows isLoading={false} />);
  advance(299);
  expect(container.textContent).toBe('skeleton');
  advance(1);
  expect(container.textContent).toBe('nothing');
  // A fast response shows no placeholder at all.
  rerender(<Rows isLoading />);
  advance(150);
  rerender(<Rows isLoading={false} />);
  advance(1000);
  expect(container.textContent).toBe('nothing');
});
